# SPDX-License-Identifier: MIT
"""A stub between a debugger and QEMU's, whose target goes on by single steps: when it is to be
halted it makes so many more, by chance, keeping a shadow stack, and says that it was halted there.
So the truth of each halt is known of what the debugger takes to be a running target.

QEMU 7.2 tells no stack pointers but SP; this stub describes MSP and PSP as others do.
"""

import socket
import threading

import rsp

MSP, PSP = 0x60, 0x61  # numbers that QEMU's description does not use
SYSTEM = ('<feature name="org.gnu.gdb.arm.m-system">'
          '<reg name="msp" bitsize="32" regnum="%d" type="data_ptr"/>'
          '<reg name="psp" bitsize="32" regnum="%d" type="data_ptr"/></feature>' % (MSP, PSP))


class Stub:
    """Serves one connection, in a thread of its own. `halts` has the truth of each halt."""

    def __init__(self, stack, chance, steps):
        self.stack, self.chance, self.steps = stack, chance, steps
        self.halts, self.problem = [], None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self):
        try:
            connection, _ = self.listener.accept()
            with connection:
                self._converse(rsp.Link(connection))
        except (rsp.Closed, ConnectionError):
            pass
        except Exception as problem:  # for whoever waits for the end
            self.problem = problem

    def _halt(self):
        self.stack.run(self.chance.randint(*self.steps))
        self.halts.append(self.stack.halt())

    def _converse(self, link):
        is_running = False
        self._halt()  # whoever connects finds the target halted, and takes a sample
        while True:
            body = link.receive()
            if body == b"\x03":
                if is_running:
                    self._halt()
                    link.send(b"T02thread:01;")
                is_running = False
            elif body == b"c" or body.startswith(b"vCont;c"):
                is_running = True
            elif body == b"QStartNoAckMode":
                link.send(b"OK")
                link.acked = False
            elif body.startswith(b"D") or body == b"k":
                link.send(b"OK")
                return
            else:
                link.send(self._answer(body))

    def _answer(self, body):
        if self.stack.board.is_arm:
            if body in (b"p%x" % MSP, b"p%x" % PSP):
                value = self.stack.msp if body == b"p%x" % MSP else self.stack.psp
                return value.to_bytes(4, "little").hex().encode()
            if body.startswith(b"qXfer:features:read:target.xml:"):
                return self._described(body)
        return self.stack.target.ask_raw(body)

    def _described(self, body):
        text = self.stack.target.description().replace("</target>", SYSTEM + "</target>").encode()
        start, size = (int(word, 16) for word in body.rsplit(b":", 1)[1].split(b","))
        return (b"m" if start + size < len(text) else b"l") + text[start : start + size]

    def close(self):
        self.listener.close()
        self.thread.join(30)
        if self.problem:
            raise self.problem

// SPDX-License-Identifier: MIT
/**
 * The payload of a page: from the text of its data element to the head and typed arrays. The format
 * is docs/formats/page.md.
 */

/**
 * @typedef {object} Payload
 * @property {Record<string, any>} head
 * @property {(name: string) => any} column  a typed array or a text;
 *   null: the page has none of this name
 */

/** The bytes that base64 text stands for; white space is left out. */
function bytesOfBase64(text) {
  const binary = atob(text.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** LEB128 numbers; what does not fit into 32 bits makes the array one of doubles. */
function readVarints(bytes, count) {
  /** @type {Uint32Array|Float64Array} */
  let numbers = new Uint32Array(count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++];
    let value = byte & 127;
    let scale = 128;
    while (byte > 127) {
      byte = bytes[at++];
      value += (byte & 127) * scale;
      scale *= 128;
    }
    if (value > 0xffffffff && numbers instanceof Uint32Array) numbers = Float64Array.from(numbers);
    numbers[i] = value;
  }
  if (at !== bytes.length) throw new Error('a column ends in the middle of a number');
  return numbers;
}

function readZigzags(bytes, count) {
  const plain = readVarints(bytes, count);
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i++) numbers[i] = plain[i] % 2 ? -(plain[i] + 1) / 2 : plain[i] / 2;
  return numbers;
}

const READERS = {
  u8: (bytes) => bytes,
  varint: readVarints,
  zigzag: readZigzags,
  text: (bytes) => new TextDecoder().decode(bytes),
};

/** @returns {Payload} */
export function readPayload(bytes) {
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
  const columns = bytes.subarray(4 + size);
  return {
    head,
    column(name) {
      const found = head.columns[name];
      if (!found) return null;
      const [offset, length, count, type] = found;
      return READERS[type](columns.subarray(offset, offset + length), count);
    },
  };
}

/** @returns {Promise<Payload>} */
export async function decodePayload(text) {
  return readPayload(await inflate(bytesOfBase64(text)));
}

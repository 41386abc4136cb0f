// What the trace viewer of Chromium's Catapult (chrome://tracing; in Debian it comes with Go, for `go tool trace`) makes of a
// file in the Trace Event Format.
//
// usage: node trace_viewer.js trace_viewer_full.html TRACE.json
//
// Prints an object: the warnings of its importer, processes, threads with their slices, counters, as the viewer would show them.
// The viewer is one page for browsers; without one its model and importers can be had: it knows "Vinn", a JavaScript engine
// without a page, and leaves out there what draws. The parts that cannot do without a page fail to load and are passed over.
'use strict';
const fs = require('fs');
const vm = require('vm');

const page = fs.readFileSync(process.argv[2], 'utf8');
const script = /<script[^>]*>([^]*?)<\/script>/.exec(page)[1];
const viewer = {console, setTimeout, clearTimeout, performance, isVinn: true, trace: fs.readFileSync(process.argv[3], 'utf8')};
viewer.global = viewer.self = viewer.window = viewer;
const context = vm.createContext(viewer);
const separator = "'use strict';";
for (const part of script.split(separator)) {
    try {
        vm.runInContext(separator + part, context);
    } catch (error) {
        continue; // it draws
    }
}

const found = vm.runInContext(`(() => {
    const model = new tr.Model();
    const options = new tr.importer.ImportOptions();
    options.shiftWorldToZero = false;
    options.pruneEmptyContainers = false;
    new tr.importer.Import(model, options).importTraces([trace]);
    const found = {warnings: model.importWarnings.map(w => w.message || String(w)), processes: [], threads: [], counters: []};
    for (const process of model.getAllProcesses()) {
        found.processes.push({pid: process.pid, name: process.name});
        for (const thread of Object.values(process.threads)) {
            found.threads.push({
                pid: process.pid, tid: thread.tid, name: thread.name, sort_index: thread.sortIndex,
                slices: thread.sliceGroup.slices.map(s => {
                    const stack = [];
                    for (let frame = s.startStackFrame; frame; frame = frame.parentFrame)
                        stack.push(frame.title);
                    return {
                        name: s.title, category: s.category, start: s.start, duration: s.duration, cpu: s.cpuDuration,
                        depth: s.parentSlice ? 1 + (s.parentSlice.parentSlice ? 1 : 0) : 0, stack,
                    };
                }),
            });
        }
        for (const counter of Object.values(process.counters))
            found.counters.push({name: counter.name, series: counter.series.map(s => ({name: s.name, samples: s.samples.length}))});
    }
    return JSON.stringify(found);
})()`, context);
process.stdout.write(found + '\n');

/** Loads what a Lambda would load and says so: `node load.cjs MODULE [compose]`. With `compose`, makes its handler too. */
const { writeSync } = require('node:fs');

const [path, step] = process.argv.slice(2);
const loaded = require(path);
if (step === 'compose' && loaded.create)
  loaded.create({
    environment: process.env,
    clock: { now: () => Date.now() },
    randomBytes: (size) => require('node:crypto').randomBytes(size),
    sendHttp: () => Promise.reject(new Error('a benchmark calls nobody')),
    writeLine: () => undefined,
  });
if (typeof loaded.handler !== 'function') throw new TypeError(`${path} has no handler`);
writeSync(1, 'ready');
process.exit(0);

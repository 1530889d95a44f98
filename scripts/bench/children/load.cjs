/**
 * Does what a cold start does, and says when it is done: `node load.cjs MODULE` loads a function, `... MODULE compose` makes its handler too,
 * `... MODULE event JSON` lets it answer its first event, whether it succeeds or fails.
 */
const { writeSync } = require('node:fs');

const [path, step, event] = process.argv.slice(2);

const host = {
  environment: process.env,
  clock: { now: () => Date.now() },
  randomBytes: (size) => require('node:crypto').randomBytes(size),
  sendHttp: () => Promise.reject(new Error('a benchmark calls no server')),
  writeLine: () => undefined,
};

const context = {
  awsRequestId: '00000000-0000-4000-8000-000000000000',
  functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
  getRemainingTimeInMillis: () => 30_000,
};

async function run() {
  const loaded = require(path);
  if (typeof loaded.handler !== 'function') throw new TypeError(`${path} has no handler`);
  if (step === 'compose' && loaded.create) loaded.create(host);
  if (step === 'event') await loaded.handler(JSON.parse(event), context).catch(() => undefined);
  writeSync(3, 'ready');
  process.exit(0);
}

void run();

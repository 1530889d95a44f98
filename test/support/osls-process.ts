/**
 * A process that runs `serverless` as often as it is asked to. Most of a run is loading osls and the clients of AWS, which happens once here.
 * What osls remembers of a run goes with its modules.
 */
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import process from 'node:process';

/** One command of osls, with variables of the environment for it only. */
export interface OslsCommand {
  readonly directory: string;
  readonly parameters: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const require = createRequire(import.meta.url);
const osls = dirname(require.resolve('serverless/package.json')) + sep;
/** Compiled schemas depend on nothing else. */
const kept = 'resolve-ajv-validate.js';

let output = '';
for (const stream of [process.stdout, process.stderr])
  stream.write = (text: string | Uint8Array): boolean => {
    output += String(text);
    return true;
  };

function run({ directory, parameters, environment }: OslsCommand): void {
  output = '';
  process.exitCode = 0;
  process.chdir(directory);
  process.argv.splice(1, Number.POSITIVE_INFINITY, join(osls, 'bin', 'serverless.js'), ...parameters);
  Object.assign(process.env, environment);
  for (const file of Object.keys(require.cache))
    if (file.startsWith(osls) && !file.endsWith(kept)) delete require.cache[file];
  // The channel to the tests must not keep the process alive: osls has ended if nothing else does.
  process.channel?.unref();
  process.once('beforeExit', () => {
    for (const name of Object.keys(environment)) delete process.env[name];
    process.channel?.ref();
    process.send?.({ code: Number(process.exitCode), output });
  });
  require(join(osls, 'scripts', 'serverless.js'));
}

// Each run listens for signals.
process.setMaxListeners(0);
process.on('message', (command) => run(command as OslsCommand));

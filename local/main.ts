/** `npm start`: the sandbox on the wire, and the story of a node that leaves. */
import { messageOf } from '../shared/base/message-of.ts';
import { createJsonReporter } from './terminal/json-reporter.ts';
import { isInForeground } from './terminal/keys/foreground.ts';
import { openPage } from './terminal/keys/open-page.ts';
import { readKeys } from './terminal/keys/read-keys.ts';
import { help, type Options, readCommandLine } from './terminal/options.ts';
import { createPeopleReporter } from './terminal/people-reporter.ts';

/** Ctrl-C comes from the terminal and, a moment later, from npm, which passes it on: together they are one. */
const sameSignalMilliseconds = 500;

async function main(options: Options): Promise<void> {
  const { stdin, stdout } = process;
  if (!options.json) stdout.write('Starting the sandbox ...\n');
  // Loaded only now, so that help and mistakes are answered at once.
  const { ensurePackaged } = await import('../scripts/build/ensure-packaged.ts');
  await ensurePackaged({ bundles: 'fresh' });
  const { run } = await import('./terminal/run.ts');
  const hasKeys = !options.json && stdin.isTTY && stdout.isTTY && (await isInForeground());
  let exitCode = 0;
  const running = await run(options, {
    createReporter: (now) =>
      options.json
        ? createJsonReporter(stdout)
        : createPeopleReporter({ stream: stdout, colour: stdout.isTTY && stdout.hasColors(), hasKeys, now }),
    onStoryFailed: () => {
      exitCode = 1;
      end();
    },
  });
  let giveBack = (): void => {};
  // Also where the ending is cut short by a second Ctrl-C.
  process.on('exit', () => {
    giveBack();
    running.forget();
  });
  let endingSince: number | undefined;
  const end = (): void => {
    if (endingSince !== undefined) {
      if (performance.now() - endingSince > sameSignalMilliseconds) process.exit(130);
      return;
    }
    endingSince = performance.now();
    giveBack();
    void running.close().then(() => process.exit(exitCode));
  };
  if (hasKeys) giveBack = readKeys(stdin, running.keyboard({ openPage, quit: end }));
  // The reader of the output has closed it.
  stdout.on('error', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

const commandLine = readCommandLine(process.argv.slice(2));
if (commandLine.kind === 'help') {
  process.stdout.write(help);
} else if (commandLine.kind === 'wrong') {
  process.stderr.write(`${commandLine.message}\n(npm start -- --help explains)\n`);
  process.exitCode = 2;
} else {
  try {
    await main(commandLine.options);
  } catch (error) {
    process.stderr.write(`The sandbox cannot start: ${messageOf(error)}\n`);
    process.exit(1);
  }
}

import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwsRequestHandler } from '../shared/aws/connection.ts';
import type { TimerClock } from '../shared/base/clock.ts';
import type { StreamGateway } from '../shared/etcd-api/http.ts';
import type { SendHttp } from '../shared/net/http.ts';
import { homeOf } from './home.ts';
import { linesOf } from './input-lines.ts';
import { createInterrupts, type Interrupts } from './interrupts.ts';
import { type Output, outputTo, type TextStream } from './output.ts';
import { type RunProgram, runProgram } from './run-program.ts';
import { timeIn } from './simulated-time.ts';

/** What the machine gives to the program, so that tests run it in process with their own. */
export interface Machine {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The words that start this program, such as node and the path of the script. Undefined if a test runs it in process. */
  readonly startedAs?: readonly string[];
  readonly clock: TimerClock;
  readonly pause: (milliseconds: number) => Promise<void>;
  /** What was asked for: data, tables, progress. */
  readonly stdout: TextStream;
  /** Warnings and errors. */
  readonly stderr: TextStream;
  readonly readFile: (path: string) => Promise<string>;
  /** The lines of the standard input; undefined if it has none. */
  readonly inputLines?: () => AsyncIterable<string>;
  readonly runProgram: RunProgram;
  /** Calls the listener at the first Ctrl-C, SIGTERM or closing of the terminal instead of ending the process; the next one ends it. Returns a function that stops listening. Undefined if there is no Ctrl-C. */
  readonly onInterrupt?: (listener: () => void) => () => unknown;
  readonly sendHttp: SendHttp;
  /** Streams what is too long to hold from members of etcd; absent: over sockets. */
  readonly streamGateway?: StreamGateway;
  /** Carries the requests to AWS; absent: `sendHttp` does. */
  readonly awsRequestHandler?: AwsRequestHandler;
}

/** Everything that a command sees of the machine. */
export interface CliContext extends Omit<Machine, 'stdout' | 'stderr'> {
  readonly stdout: Output;
  readonly stderr: Output;
}

/** The machine, with outputs that no control of a server gets through. */
export const contextOn = (machine: Machine): CliContext => ({
  ...machine,
  stdout: outputTo(machine.stdout),
  stderr: outputTo(machine.stderr),
});

/** The machine as it is. `NO_COLOR` and a dumb terminal count as no terminal. */
export function thisMachine(interrupts: Pick<Interrupts, 'onInterrupt'> = createInterrupts()): Machine {
  const environment = process.env;
  // The SDK is a fixed version, which runs on Node 20: operators need no warning that later versions will not.
  environment['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const isPlain = Boolean(environment.NO_COLOR) || environment.TERM === 'dumb';
  const output = (stream: NodeJS.WriteStream): TextStream => ({
    write: (text) => {
      stream.write(text);
    },
    isTerminal: stream.isTTY && !isPlain,
    // A terminal that does not know its width says 0.
    get columns() {
      return stream.columns || undefined;
    },
  });
  return {
    environment,
    homeDirectory: homeOf(environment, homedir),
    // npx starts it by a link in a cache of its own.
    startedAs: process.argv.slice(0, 2).map((path) => realpathSync(path)),
    clock: {
      now: () => timeIn(environment, Date.now()),
      after: (milliseconds, task) => {
        const timer = setTimeout(task, milliseconds);
        return { cancel: () => clearTimeout(timer) };
      },
    },
    pause: async (milliseconds) => {
      await pause(milliseconds);
    },
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    readFile: (path) => readFile(path, 'utf8'),
    inputLines: () => linesOf(process.stdin),
    runProgram,
    onInterrupt: interrupts.onInterrupt,
    // Node's HTTP takes a third of the start of a command that needs none.
    sendHttp: async (request) => (await import('../shared/net/send-http.ts')).sendHttp(request),
  };
}

import { kubernetes, program } from '../../../../real/programs.ts';
import {
  type ClientCommand,
  type Ended,
  type RunningClient,
  runClient,
  startClient,
} from '../../../../real/run-client.ts';

/** kubectl, in a namespace of its own. Words are split at spaces; those that have spaces themselves follow as `whole`. */
export interface KubectlWorld {
  /** What it wrote, of a command that must succeed. */
  readonly kubectl: (words: string, ...whole: readonly string[]) => Promise<string>;
  /** Likewise with a text that it reads: `-f -`. */
  readonly feed: (text: string, words: string) => Promise<string>;
  /** How it ended, well or not. */
  readonly tried: (words: string, ...whole: readonly string[]) => Promise<Ended>;
  /** Like `kubectl` and `feed`, with no namespace said: for files that say their own. */
  readonly anywhere: (words: string, text?: string) => Promise<string>;
  readonly start: (words: string) => RunningClient;
  readonly namespace: string;
  /** With another environment, for an editor. */
  readonly having: (environment: Readonly<Record<string, string>>) => KubectlWorld;
}

/** @throws Error with what kubectl wrote, where a command that must succeed does not. */
export function kubectlWorld(environment: Readonly<Record<string, string>>, namespace: string): KubectlWorld {
  const command = (words: string, whole: readonly string[] = [], input = ''): ClientCommand => ({
    command: program(kubernetes, 'kubectl'),
    options: ['--namespace', namespace, ...words.split(' '), ...whole],
    environment,
    input,
  });
  const succeed = async (of: ClientCommand): Promise<string> => {
    const { code, stdout, stderr } = await runClient(of);
    if (code !== 0) throw new Error(`kubectl ${of.options.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  return {
    namespace,
    kubectl: (words, ...whole) => succeed(command(words, whole)),
    feed: (text, words) => succeed(command(words, [], text)),
    tried: (words, ...whole) => runClient(command(words, whole)),
    anywhere: (words, text) => succeed({ ...command(words, [], text), options: words.split(' ') }),
    start: (words) => startClient(command(words)),
    having: (more) => kubectlWorld({ ...environment, ...more }, namespace),
  };
}

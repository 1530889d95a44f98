import type { HttpApi } from '@drover/cloud-sandbox/lambda';
import type { Machine } from '../../cli/context.ts';
import { runCli } from '../../cli/program.ts';
import type { SendHttp } from '../../shared/net/http.ts';

export interface DroverRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in process, with no files and no programs, and brings its exit code and words. */
export async function runDrover(
  line: string,
  machine: Pick<Machine, 'environment' | 'clock' | 'pause' | 'sendHttp' | 'awsRequestHandler'>,
): Promise<DroverRun> {
  const words = { stdout: '', stderr: '' };
  const output = (stream: keyof typeof words) => ({
    isTerminal: false,
    write: (text: string) => {
      words[stream] += text;
    },
  });
  const exitCode = await runCli(line.split(' '), {
    ...machine,
    homeDirectory: '/nowhere',
    stdout: output('stdout'),
    stderr: output('stderr'),
    readFile: () => Promise.reject(new Error('no file here')),
    runProgram: () => Promise.reject(new Error('no program here')),
  });
  return { exitCode, ...words };
}

/** HTTP that ends in a simulated HTTP API. */
export const sendToHttpApi =
  (api: Pick<HttpApi, 'handle'>): SendHttp =>
  async ({ method, url, headers, body = '' }) => {
    const { pathname, search } = new URL(url);
    const answer = await api.handle({
      method,
      path: pathname,
      rawQueryString: search.slice(1),
      headers,
      body: Buffer.from(body),
      sourceIp: '192.0.2.1',
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: Buffer.from(answer.body).toString('utf8'),
    };
  };

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Where ElasticMQ and what it needs lie, outside the checkout; `npm run real:install` puts them there, with Maven.
 */
const directory = join(homedir(), '.cache', 'drover', 'elasticmq');

export const elasticMqIsInstalled = existsSync(join(directory, 'elasticmq-server_2.13-1.6.14.jar'));

export interface ElasticMq {
  readonly url: string;
  stop(): void;
}

const configuration = (port: number): string => `
include classpath("application.conf")
node-address { protocol = http, host = "127.0.0.1", port = ${port}, context-path = "" }
rest-sqs { enabled = true, bind-port = ${port}, bind-hostname = "127.0.0.1", sqs-limits = strict }
rest-stats { enabled = false }
`;

/** Starts ElasticMQ on a free port of the loopback address. Rejects when it does not answer within 30 s. */
export async function startElasticMq(): Promise<ElasticMq> {
  const port = await freePort();
  const file = join(mkdtempSync(join(tmpdir(), 'elasticmq-')), 'elasticmq.conf');
  writeFileSync(file, configuration(port));
  const options = [`-Dconfig.file=${file}`, '-cp', `${directory}/*`, 'org.elasticmq.server.Main'];
  const child = spawn('java', options, { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (await answers(url)) return { url, stop: () => child.kill() };
    await sleep(500);
  }
  child.kill();
  throw new Error('ElasticMQ did not answer within 30 s');
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/?Action=ListQueues`)).ok;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

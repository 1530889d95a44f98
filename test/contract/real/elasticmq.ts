import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningServer, startServer } from './start-server.ts';

/** Where ElasticMQ and what it needs lie, outside the checkout; `npm run real:install` puts them there, with Maven. */
const directory = join(homedir(), '.cache', 'drover', 'elasticmq');

export const elasticMqIsInstalled = existsSync(join(directory, 'elasticmq-server_2.13-1.6.14.jar'));

const configuration = (port: number): string => `
include classpath("application.conf")
node-address { protocol = http, host = "127.0.0.1", port = ${port}, context-path = "" }
rest-sqs { enabled = true, bind-port = ${port}, bind-hostname = "127.0.0.1", sqs-limits = strict }
rest-stats { enabled = false }
`;

export const startElasticMq = (): Promise<RunningServer> =>
  startServer('ElasticMQ', (port) => {
    const file = join(mkdtempSync(join(tmpdir(), 'elasticmq-')), 'elasticmq.conf');
    writeFileSync(file, configuration(port));
    return {
      command: 'java',
      options: [`-Dconfig.file=${file}`, '-cp', `${directory}/*`, 'org.elasticmq.server.Main'],
    };
  });

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { java } from '../programs.ts';
import { type RunningServer, startServer } from './start-server.ts';

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
      options: [`-Dconfig.file=${file}`, '-cp', `${java.directory}/*`, 'org.elasticmq.server.Main'],
    };
  });

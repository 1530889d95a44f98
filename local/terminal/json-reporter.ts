import { jsonLine } from '../../cli/json-text.ts';
import { etcdZone } from '../wire/etcd-zone.ts';
import type { Ready, Reporter } from './reporter.ts';
import type { TerminalStream } from './screen.ts';

/** One JSON object per line, `ready` first. */
export function createJsonReporter(stream: TerminalStream): Reporter {
  const write = (object: object): void => void stream.write(jsonLine(object));
  return {
    ready: (ready) => {
      write(readyObject(ready));
      write({ event: 'scale-api', url: ready.sandbox.doors.httpApi.url });
      write({ event: 'etcd-client', domain: etcdZone.domain, ...ready.sandbox.etcdClient });
    },
    line: ({ at, speaker, text }) =>
      write({ event: 'happened', at: new Date(at).toISOString(), speaker, text }),
    log: (functionName, text) => write({ event: 'log', functionName, line: parsed(text) }),
    look: () => undefined,
    ending: () => write({ event: 'ending' }),
  };
}

/** What a program needs to use the sandbox. */
export function readyObject({ sandbox, view }: Ready): object {
  const { doors, kubeconfig, region, accessKeyId, secretAccessKey } = sandbox;
  return {
    event: 'ready',
    endpoints: {
      aws: doors.aws.url,
      kubernetes: doors.kubernetes.url,
      dns: doors.dns.address,
      etcd: doors.etcd.urls,
      dashboard: doors.dashboard.url,
    },
    kubeconfig,
    region,
    accessKeyId,
    secretAccessKey,
    autoScalingGroups: view.groups.map(({ name }) => name),
  };
}

/** Functions write JSON; any other line is kept as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

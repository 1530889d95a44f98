import { shellWord } from '../../shared/base/shell-words.ts';
import { workersGroupName } from '../story/furnish.ts';
import type { Ready } from './reporter.ts';

export interface WelcomeRow {
  readonly text: string;
  /** Undefined for a line to copy, which is neither wrapped nor coloured. */
  readonly style?: 'bold' | 'dim' | 'reset';
}

const heading = (text: string): WelcomeRow => ({ text, style: 'bold' });
const words = (text: string): WelcomeRow => ({ text, style: 'reset' });
const copy = (text: string): WelcomeRow => ({ text });

/** The addresses of the sandbox, and lines to copy into another terminal. */
export function welcome(ready: Ready): readonly WelcomeRow[] {
  const { sandbox, speed } = ready;
  const { doors } = sandbox;
  return [
    heading(`Drover's sandbox is up${speed === 1 ? '' : `, at speed ${speed}`}.`),
    words(`AWS          ${doors.aws.url}`),
    words(`Kubernetes   ${doors.kubernetes.url}`),
    words(`Scale API    ${doors.httpApi.url}`),
    words(`DNS          ${doors.dns.address}`),
    words(`etcd         ${doors.etcd.urls.join(' ')}, once its members serve`),
    ...doors.takenPorts.map((port) => words(`Port ${port} is in use: the sandbox took a free one instead.`)),
    words('The functions run from their packaged bundles, each in a thread with the role of the template.'),
    ...(speed === 1 ? [] : [words(wrongAges)]),
    words(''),
    heading('Copy into another terminal, in this folder:'),
    copy('eval "$(npx --no -- drover env)"'),
    copy('npx --no -- drover status'),
    copy('npx --no -- drover doctor'),
    copy('npx --no -- drover groups'),
    copy('npx --no -- drover etcd status'),
    copy('npx --no -- drover rotate --dry-run'),
    copy(`npx --no -- drover scale ${shellWord(workersGroupName)} 4 --wait`),
    copy('kubectl get nodes'),
    copy('aws autoscaling describe-auto-scaling-instances --output table'),
    copy('aws sqs list-queues --endpoint-url "$AWS_ENDPOINT_URL"'),
    copy('aws route53 list-hosted-zones'),
    copy(digLine(ready)),
    copy(curlLine(ready)),
    words(''),
    heading(`The page of the sandbox: ${doors.dashboard.url}`),
  ];
}

/** `drover` reads the time of the sandbox from DROVER_CLOCK; other programs have only the machine's. */
const wrongAges =
  'Ages and relative times of kubectl are wrong at this speed: it counts with the clock of this machine.';

/** Asks the name servers for the members of etcd. The answer is empty until all first members are known. */
const digLine = ({ sandbox, view }: Ready): string =>
  `dig @127.0.0.1 -p ${sandbox.doors.dns.port} ${view.etcd.srvName} SRV +short`;

/** Asks a member for the list of members, through its JSON gateway. */
function curlLine({ sandbox: { doors, etcdClient } }: Ready): string {
  const { certificateAuthority, certificate, key } = etcdClient;
  const files = `--cacert ${shellWord(certificateAuthority)} --cert ${shellWord(certificate)} --key ${shellWord(key)}`;
  return `curl -s ${files} ${doors.etcd.urls[0] ?? ''}/v3/cluster/member/list -d '{}'`;
}

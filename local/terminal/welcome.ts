import { workersGroupName } from '../story/furnish.ts';
import type { Ready } from './reporter.ts';

export interface WelcomeRow {
  readonly text: string;
  /** Absent: a line to copy, which is neither wrapped nor coloured. */
  readonly style?: 'bold' | 'dim' | 'reset';
}

const heading = (text: string): WelcomeRow => ({ text, style: 'bold' });
const words = (text: string): WelcomeRow => ({ text, style: 'reset' });
const copy = (text: string): WelcomeRow => ({ text });

/** In single quotes where a shell would read more into it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The addresses of the sandbox, and lines to copy into another terminal. */
export function welcome(ready: Ready): readonly WelcomeRow[] {
  const { sandbox, speed } = ready;
  const { doors, kubeconfig, region, accessKeyId, secretAccessKey } = sandbox;
  return [
    heading(`Drover's sandbox is up${speed === 1 ? '' : `, at speed ${speed}`}.`),
    words(`Dashboard    ${doors.dashboard.url}`),
    words(`AWS          ${doors.aws.url}`),
    words(`Kubernetes   ${doors.kubernetes.url}`),
    words(`Scale API    ${doors.httpApi.url}`),
    words(`DNS          ${doors.dns.address}`),
    words(`etcd         ${doors.etcd.urls.join(' ')}, once its members serve`),
    ...doors.takenPorts.map((port) => words(`Port ${port} is in use: the sandbox took a free one instead.`)),
    words('The functions run from their packaged bundles, each in a thread with the role of the template.'),
    words(''),
    heading('Copy into another terminal:'),
    copy(`export AWS_ENDPOINT_URL=${doors.aws.url} AWS_REGION=${region} AWS_DEFAULT_REGION=${region}`),
    copy(
      `export AWS_ACCESS_KEY_ID=${accessKeyId} AWS_SECRET_ACCESS_KEY=${secretAccessKey} AWS_SESSION_TOKEN= AWS_PAGER=`,
    ),
    copy(`export KUBECONFIG=${quoted(kubeconfig)}`),
    copy(`export DROVER_API_URL=${doors.httpApi.url} ${settingsOf(ready)}`),
    copy('aws autoscaling describe-auto-scaling-instances --output table'),
    copy('kubectl get nodes'),
    copy('aws sqs list-queues --endpoint-url "$AWS_ENDPOINT_URL"'),
    copy('aws route53 list-hosted-zones'),
    copy(digLine(ready)),
    copy(curlLine(ready)),
    copy('npx drover status'),
    copy('npx drover groups'),
    copy('npx drover rotate --dry-run'),
    copy(`npx drover scale ${quoted(workersGroupName)} 4 --wait`),
    words(''),
  ];
}

/** Asks the name servers for the members of etcd. The answer is empty until all first members are known. */
const digLine = ({ sandbox, view }: Ready): string =>
  `dig @127.0.0.1 -p ${sandbox.doors.dns.port} ${view.etcd.srvName} SRV +short`;

/** Asks a member for the list of members, through its JSON gateway. */
function curlLine({ sandbox: { doors, etcdClient } }: Ready): string {
  const { certificateAuthority, certificate, key } = etcdClient;
  const files = `--cacert ${quoted(certificateAuthority)} --cert ${quoted(certificate)} --key ${quoted(key)}`;
  return `curl -s ${files} ${doors.etcd.urls[0] ?? ''}/v3/cluster/member/list -d '{}'`;
}

/** The environment for `drover rotate`, as the function bootstrap-credential has it. */
function settingsOf({ sandbox }: Ready): string {
  const { environment } = sandbox.cloud.lambda.functionOf('bootstrap-credential');
  return ['DROVER_CLUSTER', 'DROVER_KUBECONFIG_PARAMETER', 'DROVER_BOOTSTRAP_PARAMETER']
    .map((name) => `${name}=${quoted(environment[name] ?? '')}`)
    .join(' ');
}

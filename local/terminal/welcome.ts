import type { Ready } from './reporter.ts';

export interface WelcomeRow {
  readonly text: string;
  /** Absent: a line to copy, which is neither broken nor painted. */
  readonly style?: 'bold' | 'dim' | 'reset';
}

const heading = (text: string): WelcomeRow => ({ text, style: 'bold' });
const words = (text: string): WelcomeRow => ({ text, style: 'reset' });
const copy = (text: string): WelcomeRow => ({ text });

/** In single quotes where a shell would read more into it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** What is up, and lines to copy into another terminal. */
export function welcome(ready: Ready): readonly WelcomeRow[] {
  const { sandbox, view, speed } = ready;
  const { doors, kubeconfig, region, accessKeyId, secretAccessKey } = sandbox;
  const groupName = view.groups[0]?.name ?? '';
  return [
    heading(`Drover's sandbox is up${speed === 1 ? '' : `, at ${speed} times the speed of life`}.`),
    words(`Dashboard    ${doors.dashboard.url}`),
    words(`AWS          ${doors.aws.url}`),
    words(`Kubernetes   ${doors.kubernetes.url}`),
    words(`Scale API    ${doors.httpApi.url}`),
    words(`DNS          ${doors.dns.address}`),
    ...doors.takenPorts.map((port) =>
      words(`Port ${port} is somebody else's: a free one was taken in its place.`),
    ),
    words('The functions run from their packaged bundles, each in a thread with the role of the template.'),
    words(''),
    heading('For another terminal, to copy:'),
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
    ...digOf(ready).map(copy),
    copy('npx drover status'),
    copy('npx drover groups'),
    copy('npx drover rotate --dry-run'),
    copy(`npx drover scale ${quoted(groupName)} 4 --wait`),
    words(''),
  ];
}

/** Asks the name servers for what they know first of: services, or else whose the zone is. */
function digOf({ sandbox }: Ready): readonly string[] {
  const zones = sandbox.cloud.account.route53.controls.served();
  const sets = zones.flatMap((zone) => [...zone.sets.values()]);
  const shown = sets.find(({ type }) => type === 'SRV') ?? sets.find(({ type }) => type === 'SOA');
  if (!shown) return [];
  return [`dig @127.0.0.1 -p ${sandbox.doors.dns.port} ${shown.name.replace(/\.$/, '')} ${shown.type}`];
}

/** What `drover rotate` is told by the environment: as the function that does it by itself is. */
function settingsOf({ sandbox }: Ready): string {
  const { environment } = sandbox.cloud.lambda.functionOf('bootstrap-credential');
  return ['DROVER_CLUSTER', 'DROVER_KUBECONFIG_PARAMETER', 'DROVER_BOOTSTRAP_PARAMETER']
    .map((name) => `${name}=${quoted(environment[name] ?? '')}`)
    .join(' ');
}

import { shellWord } from '../../shared/base/shell-words.ts';

/** Where a command of one cluster in the list of all is to run. */
export interface Place {
  /** Undefined if the flag was not given. */
  readonly region?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly stage: string;
  readonly clusterName: string | null;
  /** The context with which its Nodes were read. */
  readonly context: string | null;
}

/** Commands of problems that look at a deployment, and ask which one if there are several. */
const ofDeployment = /^drover (?:doctor|events)\b/;
/** Commands of problems that read the cluster with a kubeconfig. */
const withKubeconfig = /^drover (?:csr|events)\b/;

/**
 * A command of a problem that works whatever the shell and the kubeconfig choose: with the region that was given, and with the cluster, stage and
 * context that it does not name itself. Pure.
 */
export function commandAt(command: string, place: Place): string {
  const ofCluster = clusterFlags(place);
  if (command.startsWith('kubectl ')) return `kubectl${ofCluster}${command.slice('kubectl'.length)}`;
  const { clusterName, stage, region } = place;
  const inRegion = region === undefined ? '' : `AWS_REGION=${shellWord(region)} `;
  if (command.startsWith('aws '))
    return `${inRegion}${command.replaceAll(' && aws ', ` && ${inRegion}aws `)}`;
  if (!command.startsWith('drover ')) return command;
  const inCluster =
    clusterName === null || command.includes(' --cluster ') ? '' : `DROVER_CLUSTER=${clusterName} `;
  const ofStage = ofDeployment.test(command) ? ` --stage ${shellWord(stage)}` : '';
  return `${inRegion}${inCluster}${command}${ofStage}${withKubeconfig.test(command) ? ofCluster : ''}`;
}

function clusterFlags({ context, kubeconfig }: Place): string {
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${shellWord(kubeconfig)}`;
  return context === null ? file : `${file} --context ${shellWord(context)}`;
}

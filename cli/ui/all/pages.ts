import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { clientSettings } from '../../../shared/aws/client-settings.ts';
import { awsConnection } from '../../../shared/runtime/aws-connection.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import type { AnswerOptions, NoPage, ServedPage } from '../../../ui/server/answer.ts';
import { pageFiles } from '../../../ui/server/page-files.ts';
import type { CliContext } from '../../context.ts';
import { contextFinder, ofAnyCluster, unreachable } from '../../deployments/contexts.ts';
import { type Deployment, readDeployments } from '../../deployments/deployments.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { environmentOf, hostOf } from '../../host.ts';
import { directSource } from '../direct/source.ts';
import { createPage } from '../page.ts';
import { createTurn } from '../report/turn.ts';
import type { UiFlags } from '../serve.ts';
import { pageNameOf } from './clusters-state.ts';
import { clustersReader } from './read.ts';

/** A reading is a dozen calls for each cluster, of an account that has other users of its API. */
const restMilliseconds = 60_000;

/**
 * The list of all deployments of the account and region, and a page for each, below its name.
 *
 * @throws CliError `usage` for flags that mean one cluster, and ConfigError without a region.
 */
export function allPages(
  flags: UiFlags,
  onFault: (error: unknown) => void,
  given: CliContext,
): Omit<AnswerOptions, 'token'> {
  refuseFlagsOfOne(flags);
  const context = ofAnyCluster(given);
  readConfig(hostOf(context, environmentOf(flags, context)).environment, ['region']);
  const list = createPage(
    { read: clustersReader(flags, context), files: pageFiles('clusters'), onFault, restMilliseconds },
    context,
  );
  return { ...list, pageOf: clusterPages(flags, onFault, context) };
}

/** The page of a cluster is made when it is first asked for, if a deployment of that stage serves that cluster. */
function clusterPages(
  flags: UiFlags,
  onFault: (error: unknown) => void,
  context: CliContext,
): (name: string) => Promise<ServedPage | NoPage> {
  const pages = new Map<string, ServedPage>();
  const files = pageFiles();
  const turn = createTurn();
  const connection = awsConnection(hostOf(context, environmentOf(flags, context)));
  const make = async (deployment: Deployment & { readonly clusterName: string }): Promise<ServedPage> => {
    const { stage, clusterName } = deployment;
    const found = await contextFinder(flags, context)(deployment);
    const own = { ...flags, cluster: clusterName, stage };
    const isFound = 'name' in found;
    const { read, reports } = isFound
      ? directSource({ ...own, context: found.name }, turn, context)
      : directSource(own, turn, context, unreachable(found.why).connections);
    const { region, kubeconfig } = flags;
    const place = { region, kubeconfig, stage, clusterName, context: isFound ? found.name : null };
    const readPage = async () => ({ ...(await read()), stage, place, allClusters: '../' });
    return createPage({ read: readPage, reports, files, onFault }, context);
  };
  return async (name) => {
    const made = pages.get(name);
    if (made) return made;
    const deployments = await readDeployments(
      new EventBridgeClient(clientSettings(connection, 'EventBridge')),
    );
    const deployment = deployments.find((one) => pageNameOf(one) === name);
    if (deployment?.clusterName === undefined)
      return { refusal: `No deployment is ${name} (CLUSTER@STAGE) now: open the list of all clusters.` };
    const page = await make({ ...deployment, clusterName: deployment.clusterName });
    // Another request may have made it meanwhile.
    const kept = pages.get(name) ?? page;
    pages.set(name, kept);
    return kept;
  };
}

function refuseFlagsOfOne({ cluster, stage, context, api, endpoint, profile, sign }: UiFlags): void {
  const unsigned = sign ? undefined : true;
  const given = Object.entries({ cluster, stage, context, api, endpoint, profile, 'no-sign': unsigned }).find(
    ([, value]) => value !== undefined,
  );
  if (given === undefined) return;
  throw new CliError(`--${given[0]} means one cluster: leave out either it or --all`, exitCodes.usage);
}

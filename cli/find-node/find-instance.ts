import { instanceIdPattern } from '../../shared/base/instance-id.ts';
import { instanceIdOf } from '../../shared/nodes/node-names.ts';
import { clusterOf } from '../cluster.ts';
import type { ClusterFlags } from '../cluster-flags.ts';
import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import { findNode } from './find-node.ts';

/**
 * The id of an instance, which may be given by the name of its Node. The cluster is asked for a name only.
 *
 * @throws CliError if no Node has the name, several have it, or its Node is not an EC2 instance.
 */
export async function findInstance(text: string, flags: ClusterFlags, context: CliContext): Promise<string> {
  if (instanceIdPattern.test(text)) return text;
  if (/^i-[0-9a-f]*$/.test(text))
    throw new CliError(`${text} is not an instance id such as i-0123456789abcdef0`, exitCodes.usage);
  const { metadata, spec } = await findNode(clusterOf(flags, context), text);
  const instanceId = instanceIdOf(spec?.providerID);
  if (instanceId !== undefined) return instanceId;
  throw new CliError(
    `node ${metadata?.name ?? text} has no providerID of EC2: give the id of its instance`,
    exitCodes.failed,
  );
}

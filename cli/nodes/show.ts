import type { CliContext } from '../context.ts';
import { jsonText } from '../json-text.ts';
import { scaleApiOf } from '../scale-api/client.ts';
import type { ScaleApiFlags } from '../scale-api/flags.ts';
import { nodesText } from './text.ts';

export interface NodesFlags extends ScaleApiFlags {
  readonly json?: true;
}

/** Shows the instances of the managed groups with their nodes, or those of one group. */
export async function showNodes(
  group: string | undefined,
  flags: NodesFlags,
  context: CliContext,
): Promise<void> {
  const instances = await scaleApiOf(flags, context).listInstances(group);
  context.stdout.write(flags.json ? jsonText(instances) : nodesText(instances, context.clock.now()));
}

import { Copy } from '../../parts/copy.tsx';
import { needsNode } from '../../state/condition.ts';
import { heldPods } from '../../state/held.ts';
import type { GroupView, InstanceView, NodeView } from '../../state/types.ts';
import { shortName } from '../../state/words.ts';
import { Pods } from '../pods.tsx';
import { Mark } from './machine.tsx';

/** A Node and its pods. */
export const NodePart = ({ node }: { readonly node: NodeView }) => (
  <div class="node">
    <p class="node-line">
      <span class="node-name" title={node.name}>
        {shortName(node.name)}
      </span>
      <Copy text={node.name} what={`the name ${shortName(node.name)}`} />
      <Mark tone={node.ready ? 'good' : 'bad'} word={node.ready ? 'Ready' : 'NotReady'} />
      {node.cordoned && <Mark tone="warn" word="Cordoned" />}
    </p>
    {node.pods && <Pods pods={node.pods} held={heldIn(node)} />}
  </div>
);

/** In the place of a Node that is missing, or unknown. */
export const NoNode = ({
  instance: { nodeUnknown },
  role,
}: {
  readonly instance: Pick<InstanceView, 'nodeUnknown'>;
  readonly role: GroupView['role'];
}) =>
  nodeUnknown ? (
    <p class="quiet no-node">Whether it has a Node is unknown</p>
  ) : (
    needsNode({ role }) && <p class="quiet no-node">No Node</p>
  );

const heldIn = ({ leaving }: NodeView): ReadonlySet<string> =>
  new Set(leaving ? heldPods(leaving).flatMap(({ pod, budgets }) => (budgets.length > 0 ? [pod] : [])) : []);

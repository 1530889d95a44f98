import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import { checkOf, type Finding } from '../check.ts';

/** Nodes that Drover cannot connect with an instance: the instance's hook is completed although the Node was not drained. */
export const nodes = checkOf({
  name: 'nodes',
  read: async ({ cluster }) => await cluster.listNodes(),
  judge: judgeNodes,
});

/** Pure. */
export function judgeNodes(all: readonly Pick<Node, 'metadata' | 'spec'>[]): readonly Finding[] {
  const nameless = all.filter(({ spec }) => !spec?.providerID).map(({ metadata }) => metadata?.name ?? '');
  const twins = all
    .filter(({ spec }) => spec?.providerID)
    .filter((node) => all.some((other) => other !== node && other.spec?.providerID === node.spec?.providerID))
    .map(({ metadata }) => metadata?.name ?? '');
  const others = all.length - nameless.length - twins.length;
  return [
    {
      verdict: 'ok',
      subject: 'Nodes',
      message: `${others} name their instance in a providerID of their own`,
    },
    ...nameless.map(withoutProviderId),
    ...twins.map(twin),
  ];
}

const withoutProviderId = (name: string): Finding => ({
  verdict: 'fix',
  subject: name,
  message: 'it has no providerID: Drover does not find it, so its instance terminates undrained',
  command: `kubectl patch node ${shellWord(name)} --patch '{"spec":{"providerID":"aws:///ZONE/INSTANCE"}}'`,
});

const twin = (name: string): Finding => ({
  verdict: 'advice',
  subject: name,
  message: 'another Node has the same providerID: delete the one whose kubelet is gone',
  command: `kubectl get node ${shellWord(name)} -o wide`,
});

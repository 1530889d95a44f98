import type { ObservedLayout, ObservedMachine } from './layout.ts';
import type { ObservedGroup } from './observation.ts';

/** What would serve a group better. The plan changes none of it, because only you know why the group is as it is. */
export interface Advice {
  readonly id: string;
  readonly group: string;
  readonly message: string;
  /** The command or the page that follows it. */
  readonly command: string;
}

/** Advice on the layout of a group, from what is read for its plan. */
export interface Advised {
  readonly group: ObservedGroup;
  readonly layout: ObservedLayout;
  readonly machines: readonly ObservedMachine[];
  readonly clusterName: string;
}

type Found = Pick<Advice, 'id' | 'message' | 'command'>;
export type Adviser = (advised: Advised) => readonly Found[];

/** The page with the reasons. */
export const layoutPage = 'docs/group-layout.md';

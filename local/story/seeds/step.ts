import type { View } from '../view.ts';
import type { Stage } from './stage.ts';

/** One step of a document that Drover came from: what its author did by hand, and the same with Drover. */
export interface Step {
  /** What the author did. */
  readonly author: string;
  /** What Drover does for it, and what differs. */
  readonly drover: string;
  /** What another tool does, with the line that a reader types for it. */
  readonly hand?: Hand;
  /** The command line of `drover`, without that word. The story ends if it fails. */
  readonly command?: (view: View) => string;
  /** What came of it, in words, as it is seen; undefined until it is there. */
  readonly see: (seen: Seen) => string | undefined | Promise<string | undefined>;
  /** Simulated seconds until it must be there. */
  readonly withinSeconds: number;
}

export interface Hand {
  readonly types: (view: View) => string;
  readonly does: (stage: Stage, view: View) => unknown;
}

export interface Seen extends Pick<Stage, 'cloud'> {
  /** The sandbox before the step. */
  readonly before: View;
  readonly view: View;
  /** What the command printed; empty without one. */
  readonly printed: string;
  /** Since the step began, simulated. */
  readonly seconds: number;
}

/** The APIs of OpenShift 3.11, or etcd on the instances of the control plane. */
export type AuthorsCluster = 'openshift-3.11' | 'etcd-beside';

/** A document, nearly in its author's order: what a step needs comes before it. */
export interface SeedStory {
  /** As `--story` takes it. */
  readonly name: string;
  readonly title: string;
  /** The cluster that the author had. Default: that of the usual story. */
  readonly cluster?: AuthorsCluster;
  readonly steps: readonly Step[];
}

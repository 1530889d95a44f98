import type { Observation, ObservedGroup } from '../../adopt/plan/observation.ts';
import type { NthSettings } from './settings/settings.ts';

/** What runs, or what values of the chart say. */
export interface Handler {
  /** `Deployment kube-system/aws-node-termination-handler`, or the file. */
  readonly name: string;
  readonly settings: NthSettings;
  /** The command that removes it; undefined if only values are known. */
  readonly uninstall: string | undefined;
  /** It has no pods: nothing drains the nodes of its groups now. */
  readonly isStopped: boolean;
  /** Others of it in the cluster, which watch the instance metadata of their nodes. */
  readonly onNodes: readonly string[];
}

/** A rule of EventBridge that sends events to its queue. */
export interface QueueRule {
  readonly name: string;
  /** The detail types that it takes; undefined if its pattern does not name them. */
  readonly detailTypes: readonly string[] | undefined;
  /** The targets that are its queue. */
  readonly targetIds: readonly string[];
  readonly hasOtherTargets: boolean;
}

/** A group as the migration sees it. */
export interface NthGroup {
  /** With the instances of its warm pool. */
  readonly group: ObservedGroup;
  /** The value of the handler's tag on each instance that has it. */
  readonly tagged: ReadonlyMap<string, string>;
  /** The value that the tag of an instance had before this command took it. */
  readonly taken: ReadonlyMap<string, string>;
  /** The launch templates that give the tag to new instances. */
  readonly taggingTemplates: readonly string[];
}

/** All that the plan depends on. */
export interface NthObservation {
  readonly handler: Handler;
  /** Undefined if the queue is not known. */
  readonly rules: readonly QueueRule[] | undefined;
  readonly queueArn: string | undefined;
  readonly groups: readonly NthGroup[];
  /** What an adoption of the same groups depends on. */
  readonly adoption: Observation;
  /** Groups with the tag that the plan leaves alone: they were not named, or are not of this cluster. */
  readonly others: readonly string[];
}

/** What the command line asks for. */
export interface MigrationWishes {
  /** The hooks that the handler completes, if the groups have others too. */
  readonly hooks: readonly string[];
  /** Both may drain until the handler is uninstalled. */
  readonly bothDrain: boolean;
  /** One group is planned again: the hooks that are named may be those of the others. */
  readonly isOneOfSeveral: boolean;
}

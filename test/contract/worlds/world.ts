import type { Account } from '@drover/cloud-sandbox';
import type { Kubelet } from '@drover/cloud-sandbox/kubernetes';
import type { InvocationOutcome } from '@drover/cloud-sandbox/lambda';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import type { LogLine } from '../../../local/world/log-line.ts';

/** What an API server said. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Patience {
  readonly withinSeconds: number;
  readonly what: string;
}

/**
 * A cluster on a simulated account with Drover deployed, as a case sees it: a case cannot distinguish real from simulated. Other
 * cases may run in the same cluster.
 */
export interface World {
  readonly account: Account;
  /** Used only by this case: the namespace of its pods, the first word of its groups. */
  readonly namespace: string;
  /** What all functions wrote, parsed. */
  readonly lines: readonly LogLine[];
  /** Epoch milliseconds. */
  now(): number;
  pass(seconds: number): Promise<void>;
  /** Throws where the condition does not hold within the seconds of this world. */
  until(condition: () => boolean | Promise<boolean>, patience: Patience): Promise<void>;
  /** A request to the API server as an administrator. */
  request(method: Method, path: string, body?: object): Promise<Answer>;
  /** That of an instance, once it has started. */
  kubelet(instanceId: string): Pick<Kubelet, 'stop' | 'pause' | 'resume'>;
  /** Gives the kubelet of a node the manifest of a pod, as a file on its machine. */
  runStaticPod(nodeName: string, manifest: Pod): Promise<void>;
  /** Invokes a function by its name in serverless.yml. */
  invoke(functionName: string, event: unknown): Promise<InvocationOutcome>;
  /** The groups of the case, their nodes and its namespace go. */
  close(): Promise<void>;
}

/** A world that no other case uses, so that a case may break it. */
export interface OwnWorld extends World {
  readonly apiServer: { stop(): Promise<void>; start(): Promise<void> };
  /** Kills that many of the next invocations of the function, each a moment after its first call. */
  readonly killNext: (functionName: string, count: number) => void;
  /** How many have been killed. */
  readonly killed: () => number;
}

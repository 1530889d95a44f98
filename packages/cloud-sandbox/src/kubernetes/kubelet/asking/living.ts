import type { Random } from '../../../simulation/random.ts';
import type { Key } from '../../../x509/key.ts';
import type { Kubelet } from '../kubelet.ts';
import type { KubeletOptions } from '../node-object.ts';
import type { Credential, Machine, MachineParts } from './machine.ts';

/** What outlives a restart of the machine: the files below /var/lib/kubelet/pki. */
export interface KubeletDisk {
  /** Of the first request, until its certificate is there. */
  bootstrapKey?: Key | undefined;
  client?: string | undefined;
  serving?: { readonly certificate: string; readonly names: string } | undefined;
}

export interface AskingParts extends MachineParts {
  readonly random: Random;
  /** Runs pods and reports, once the Node is registered. */
  readonly startKubelet: (options: KubeletOptions) => Kubelet;
}

export interface AskingOptions {
  readonly node: KubeletOptions;
  readonly disk: KubeletDisk;
  /** The token of the bootstrap kubeconfig. Undefined if it is not published yet. */
  readonly bootstrapToken: () => string | undefined;
  /** Whether its user data starts it yet. */
  readonly mayJoin: () => boolean;
  /** What it asks for in `expirationSeconds`; default: nothing. */
  readonly expirationSeconds?: number | undefined;
  /** What the machine writes to its console. */
  readonly onLine: (line: string) => void;
}

/** A kubelet between its start and the end of its client certificate. */
export interface Living extends AskingParts, AskingOptions {
  readonly machine: Machine;
  /** Comes when the addresses change next. */
  readonly addressChange: () => Promise<void>;
}

export const clientCredential = ({ disk }: Living): Credential => ({ certificate: disk.client ?? '' });

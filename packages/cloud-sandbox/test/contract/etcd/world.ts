import type { Caller } from '../../../real/etcd/callers.ts';
import type { EtcdCredentials, GatewayRequest, StreamGateway } from '../../../src/etcd/gateway-request.ts';
import type { EtcdClient, EtcdEndpoint, GatewayResponse } from './client.ts';
import type { DnsRecord } from './zone.ts';

/** One member, running or not. */
export interface TestMember {
  readonly name: string;
  readonly peerUrl: string;
  readonly endpoint: EtcdEndpoint;
}

/** How a member finds the others: from a list of them, or from the records of the zone. */
export type Start = { readonly state: 'new' | 'existing'; readonly token?: string } & (
  | { readonly with: readonly TestMember[] }
  | { readonly records: { readonly discoverySrvName?: string } }
);

/** How requests reach the members, and the certificates that callers have. */
export interface EtcdAccess {
  readonly credentials: Readonly<Record<Caller, EtcdCredentials>>;
  readonly send: (request: GatewayRequest) => Promise<GatewayResponse>;
  readonly stream: StreamGateway;
}

/** Some members of etcd, simulated or real, as the cases need them; each world has addresses of its own. */
export interface EtcdWorld extends EtcdAccess, EtcdCalls {
  /** `3.6.16` */
  readonly version: string;
  /** What the name servers answer from now on; only in worlds with names. */
  publish(records: readonly DnsRecord[]): Promise<void>;
  /** Members that do not run yet. */
  members(count: number): Promise<readonly TestMember[]>;
  start(member: TestMember, start: Start): Promise<void>;
  /** Starts a new cluster with only this member and the keys of the snapshot. */
  restore(member: TestMember, snapshot: Uint8Array): Promise<void>;
  /** Without a word to the others. */
  kill(member: TestMember): Promise<void>;
  /** Once more, with the data that it has. */
  restart(member: TestMember): Promise<void>;
  /** Takes its data away; it does not run. */
  wipe(member: TestMember): Promise<void>;
  /** What it ended with, and what it said last; undefined while it runs. */
  ended(member: TestMember): { readonly code: number; readonly output: string } | undefined;
  pass(seconds: number): Promise<void>;
}

/** What the cases ask of members. */
export interface EtcdCalls {
  etcd(caller?: Caller): EtcdClient;
  /** The content of a snapshot, with the hash at its end. */
  snapshot(endpoint: EtcdEndpoint): AsyncIterable<Uint8Array>;
  /** A POST as it is. */
  post(endpoint: EtcdEndpoint, path: string, body: unknown): Promise<GatewayResponse>;
  get(endpoint: EtcdEndpoint, path: string): Promise<GatewayResponse>;
}

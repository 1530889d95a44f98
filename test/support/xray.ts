import type { FunctionHost } from '../../shared/runtime/host.ts';

export const traceId = '1-5759e988-bd862e3fe1be46a994272793';
export const parentId = '53995c3f42cd8ad8';

export const sampledHeader = `Root=${traceId};Parent=${parentId};Sampled=1;Lineage=1:f00dcafe:0`;

/** What Lambda and the template put into the environment of a traced function, in an invocation that X-Ray samples. */
export const tracedEnvironment = {
  DROVER_TRACING: 'on',
  DROVER_CLUSTER: 'prod',
  AWS_XRAY_DAEMON_ADDRESS: '127.0.0.1:2000',
  _X_AMZN_TRACE_ID: sampledHeader,
};

export interface SubsegmentDocument {
  readonly id: string;
  readonly name: string;
  readonly in_progress?: boolean;
  readonly aws?: { readonly operation: string };
  readonly http?: { readonly request?: { readonly method: string; readonly url: string } };
  readonly error?: boolean;
  readonly fault?: boolean;
  readonly throttle?: boolean;
}

export const documentIn = (datagram: Uint8Array): SubsegmentDocument =>
  JSON.parse(Buffer.from(datagram).toString().split('\n')[1] ?? '') as SubsegmentDocument;

/** A daemon in memory: its `sendDatagram` is that of a host. */
export function createDaemon() {
  const documents: SubsegmentDocument[] = [];
  const sendDatagram: NonNullable<FunctionHost['sendDatagram']> = (datagram) =>
    void documents.push(documentIn(datagram));
  return { documents, sendDatagram };
}

import type { EtcdCredentials, GatewayRequest, SendGateway } from '../../../shared/etcd-api/http.ts';

export const testCredentials: EtcdCredentials = {
  certificateAuthority: 'the authority',
  clientCertificate: 'the certificate',
  clientKey: 'the private key',
};

export const endpointAt = (address: string) => ({
  url: `https://${address}:2379`,
  serverName: `${address.replaceAll('.', '-')}.etcd.test`,
});

/** An answer of each endpoint and path, or the error that the connection ends with; every request is kept. */
export function scriptedGateway(
  answer: (request: GatewayRequest) => { readonly status: number; readonly body: unknown } | Error,
) {
  const requests: GatewayRequest[] = [];
  const send: SendGateway = async (request) => {
    requests.push(request);
    const outcome = answer(request);
    if (outcome instanceof Error) throw outcome;
    const { status, body } = outcome;
    return { status, body: typeof body === 'string' ? body : JSON.stringify(body) };
  };
  return { requests, gateway: { send, credentials: async () => testCredentials } };
}

export const header = {
  cluster_id: '14841639068965178418',
  member_id: '10276657743932975437',
  raft_term: '2',
};

export const withCode = (code: string, message: string): Error => Object.assign(new Error(message), { code });

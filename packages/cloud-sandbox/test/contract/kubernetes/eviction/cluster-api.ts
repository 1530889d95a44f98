import type { ClusterAdmin } from '../../../../real/kubernetes/admin.ts';
import type { HttpRequest, HttpResponse } from '../../../../src/net/http.ts';

export interface ClusterCall {
  readonly method: HttpRequest['method'];
  readonly path: string;
  readonly body?: object;
}

/** An API server as its administrator asks it, real or simulated. */
export interface ClusterApi {
  readonly admin: ClusterAdmin;
  /** Lets so much time go by. */
  pass(seconds: number): Promise<void>;
  send(call: ClusterCall): Promise<HttpResponse>;
  /** @throws Error with the answer, where that is no success */
  write(call: ClusterCall): Promise<unknown>;
}

/** A merge patch is the only kind of PATCH that is sent. */
const contentTypeOf = (method: string): string =>
  method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';

export function clusterApi(admin: ClusterAdmin, pass: ClusterApi['pass']): ClusterApi {
  const { server, token, sendHttp } = admin;
  const send = ({ method, path, body }: ClusterCall): Promise<HttpResponse> =>
    sendHttp({
      method,
      url: `${server}${path}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentTypeOf(method) },
      ...(body && { body: JSON.stringify(body) }),
      timeoutMilliseconds: 30_000,
    });
  return {
    admin,
    pass,
    send,
    write: async (call) => {
      const { status, body } = await send(call);
      if (status >= 300) throw new Error(`${call.method} ${call.path}: ${status} ${body}`);
      return JSON.parse(body);
    },
  };
}

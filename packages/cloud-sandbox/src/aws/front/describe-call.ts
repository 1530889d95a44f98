import type { AwsHttpRequest } from '../codec/http.ts';
import type { ServiceModel } from '../codec/protocol.ts';
import { AwsError, type AwsService } from '../service.ts';
import { readClaim } from '../signature/credential.ts';
import { findCall, findRoute } from './route.ts';

/** What a request asks for, read without believing it: for fault injection and logs. */
export interface CallDescription {
  readonly service: string;
  readonly operation: string;
  readonly accessKeyId: string;
  /** Decoded on each use. Throws AwsError when it cannot be read. */
  readonly input: unknown;
}

/** Undefined for a request that names no operation of a simulated service. */
export function describeCall(
  request: AwsHttpRequest,
  services: ReadonlyMap<string, AwsService>,
  models: Readonly<Record<string, ServiceModel>>,
): CallDescription | undefined {
  const claim = readClaim(request);
  if (claim === undefined) return undefined;
  try {
    const route = findRoute(claim, services, models);
    const { operation } = findCall(request, route);
    return {
      service: claim.service,
      operation: operation.name,
      accessKeyId: claim.accessKeyId,
      get input() {
        return route.protocol.decode(request, operation);
      },
    };
  } catch (error) {
    if (error instanceof AwsError) return undefined;
    throw error;
  }
}

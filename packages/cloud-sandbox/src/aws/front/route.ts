import type { AwsHttpRequest } from '../codec/http.ts';
import { findOperation, type Operation } from '../codec/operation.ts';
import type { Protocol, ServiceModel } from '../codec/protocol.ts';
import { protocols } from '../codec/protocols.ts';
import { AwsError, type AwsService } from '../service.ts';
import { readClaim, type SignatureClaim } from '../signature/credential.ts';

/** A request whose service is known: what remains is the operation. */
export interface Route {
  readonly model: ServiceModel;
  readonly protocol: Protocol;
  readonly service: AwsService;
}

type Handler = (input: never, call: never) => unknown;

/** Where errors go that come before the operation is known: the protocol of the service, or that which the request looks like. */
export function guessModel(
  request: AwsHttpRequest,
  models: Readonly<Record<string, ServiceModel>>,
): ServiceModel {
  const { service } = readClaim(request) ?? {};
  const known = service !== undefined && Object.hasOwn(models, service) ? models[service] : undefined;
  return (
    known ?? {
      client: {},
      protocol: guessProtocol(request, service),
      xmlNamespace: 'http://webservices.amazon.com/',
    }
  );
}

function guessProtocol({ headers }: AwsHttpRequest, service: string | undefined): ServiceModel['protocol'] {
  if (headers['x-amz-target'] !== undefined) return 'awsJson1_1';
  const isForm = headers['content-type']?.includes('x-www-form-urlencoded') === true;
  // Lambda, EKS and most others that came later.
  return service !== undefined && !isForm ? 'restJson' : 'awsQuery';
}

/** The service of the signing scope. Throws InvalidAction when this sandbox does not have it. */
export function findRoute(
  claim: SignatureClaim,
  services: ReadonlyMap<string, AwsService>,
  models: Readonly<Record<string, ServiceModel>>,
): Route {
  const model = Object.hasOwn(models, claim.service) ? models[claim.service] : undefined;
  const service = services.get(claim.service);
  if (model === undefined || service === undefined) {
    throw new AwsError({
      code: 'InvalidAction',
      message: `This sandbox does not simulate the AWS service "${claim.service}"; it has ${[...services.keys()].join(', ')}.`,
    });
  }
  return { model, service, protocol: protocols[model.protocol] };
}

/** The operation that a request asks for. Throws the protocol's error when AWS or this sandbox does not have it. */
export function findCall(
  request: AwsHttpRequest,
  { model, protocol, service }: Route,
): { readonly operation: Operation; readonly handler: Handler } {
  const name = protocol.operationName(request, model);
  const operation = name === undefined ? undefined : findOperation(model.client, name);
  const handler =
    name !== undefined && Object.hasOwn(service.operations, name) ? service.operations[name] : undefined;
  if (operation !== undefined && handler !== undefined) return { operation, handler };
  const asked = `${service.signingName}:${name ?? `${request.method} ${request.path}`}`;
  // A path that leads nowhere here may well lead somewhere at AWS; an unknown name of an operation is unknown there too.
  const message =
    name !== undefined && operation === undefined
      ? `AWS has no operation ${asked}.`
      : `This sandbox does not do ${asked}; its README lists what it does.`;
  throw new AwsError({ code: protocol.codes.unknownOperation, message });
}

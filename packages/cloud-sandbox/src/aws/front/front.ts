import type { Clock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import type { AwsHttpRequest, AwsHttpResponse } from '../codec/http.ts';
import type { Operation } from '../codec/operation.ts';
import type { ServiceModel } from '../codec/protocol.ts';
import { protocols } from '../codec/protocols.ts';
import { findProblems } from '../codec/validate.ts';
import { AwsError, type AwsService, type CallContext, type Principal } from '../service.ts';
import { authenticate, type FindIdentity } from '../signature/authenticate.ts';
import { readClaim } from '../signature/credential.ts';
import { createSignatureVerifier } from '../signature/verify.ts';
import { type CallDescription, describeCall } from './describe-call.ts';
import { inputError } from './input-errors.ts';
import { serviceModels } from './models.ts';
import type { RequestMeter } from './request-limits.ts';
import { findCall, findRoute, guessModel, type Route } from './route.ts';

/** A call that is authenticated and read, and asks for permission. */
interface AuthorizationRequest {
  readonly principal: Principal;
  /** The service's signing name. */
  readonly service: string;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The text of the refusal; undefined when the call is allowed. */
export type Authorize = (request: AuthorizationRequest) => string | undefined;

export interface AwsFrontOptions {
  readonly services: readonly AwsService[];
  readonly findIdentity: FindIdentity;
  readonly authorize: Authorize;
  readonly clock: Clock;
  /** Set it where callers sign on this clock (the wire); without it the age of a signature is not judged. */
  readonly signingClock?: Clock;
  readonly random: Random;
  /** Counts the calls, and refuses those that come too fast. */
  readonly meter?: RequestMeter;
  /** Signing name -> schemas and protocol; the SDK clients of `models.ts` by default. */
  readonly models?: Readonly<Record<string, ServiceModel>>;
}

/** What a caller in this process may say besides the request. */
type HandleOptions = Pick<CallContext, 'staleSeconds'>;

/** One front for every simulated service: the wire protocols of AWS around plain functions. */
export interface AwsFront {
  /** Rejects only for a fault of the sandbox itself; whatever AWS would answer, errors included, is a response. */
  handle(request: AwsHttpRequest, options?: HandleOptions): Promise<AwsHttpResponse>;
  /** The answer that carries this error, in the protocol of the request. */
  refuse(request: AwsHttpRequest, error: AwsError): AwsHttpResponse;
  /** Undefined for a request that names no operation of a simulated service. */
  describe(request: AwsHttpRequest): CallDescription | undefined;
}

export function createAwsFront(options: AwsFrontOptions): AwsFront {
  const services = new Map(options.services.map((service) => [service.signingName, service]));
  const models = options.models ?? serviceModels;
  const authentication = { ...options, verifier: createSignatureVerifier() };

  const perform = async (
    request: AwsHttpRequest,
    route: Route,
    { requestId, staleSeconds }: Pick<CallContext, 'requestId' | 'staleSeconds'>,
  ): Promise<AwsHttpResponse> => {
    const { protocol, model, service } = route;
    const claim = readClaim(request);
    if (claim === undefined) throw missingToken(protocol.codes.missingToken);
    const principal = authenticate(request, { claim, codes: protocol.codes }, authentication);
    const { operation, handler } = findCall(request, route);
    const input = protocol.decode(request, operation);
    const denial = options.authorize({
      principal,
      service: service.signingName,
      operation: operation.name,
      input,
    });
    if (denial !== undefined) throw accessDenied(route, denial);
    options.meter?.admit({ service: service.signingName, operation: operation.name, input });
    if (service.signingName === 'ec2' && input['DryRun'] === true) throw dryRun();
    checkInput(service.signingName, operation, input);
    const traceHeader = request.headers['x-amzn-trace-id'];
    const output: unknown = await handler(
      input as never,
      { principal, requestId, traceHeader, staleSeconds } as never,
    );
    return protocol.encode({ model, request, requestId, operation, output });
  };

  return {
    handle: async (request, { staleSeconds } = {}) => {
      const requestId = options.random.uuid();
      let model = guessModel(request, models);
      try {
        const claim = readClaim(request);
        if (claim === undefined) throw missingToken(protocols[model.protocol].codes.missingToken);
        const route = findRoute(claim, services, models);
        model = route.model;
        return await perform(request, route, { requestId, staleSeconds });
      } catch (error) {
        if (!(error instanceof AwsError)) throw error;
        return protocols[model.protocol].encodeError({ model, request, requestId, error });
      }
    },
    refuse: (request, error) => {
      const model = guessModel(request, models);
      const requestId = options.random.uuid();
      return protocols[model.protocol].encodeError({ model, request, requestId, error });
    },
    describe: (request) => describeCall(request, services, models),
  };
}

const missingToken = (code: string): AwsError =>
  new AwsError({ code, message: 'Request is missing Authentication Token', statusCode: 403 });

const accessDenied = ({ protocol, model }: Route, message: string): AwsError => {
  const { accessDenied: code, accessDeniedStatus: statusCode } = protocol.codes;
  return new AwsError({ code, statusCode, ...model.accessDenied, message });
};

/** What EC2 answers to DryRun where the caller has the permission. */
const dryRun = (): AwsError =>
  new AwsError({
    code: 'DryRunOperation',
    message: 'Request would have succeeded, but DryRun flag is set.',
    statusCode: 412,
  });

function checkInput(signingName: string, operation: Operation, input: Record<string, unknown>): void {
  if (operation.input.isUnitSchema()) return;
  const error = inputError(signingName, findProblems(operation.input, input));
  if (error !== undefined) throw error;
}

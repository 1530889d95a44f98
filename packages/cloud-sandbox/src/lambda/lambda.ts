import type { Deliver, Sender } from '../aws/integration.ts';
import { AwsError } from '../aws/service.ts';
import { wildcard } from '../aws/wildcard.ts';
import type { FunctionWiring, Wiring } from '../cloud/wiring.ts';
import { createAsynchronousInvoker } from './asynchronous.ts';
import { startPolling } from './event-source-mapping.ts';
import type { EventSourceQueues } from './event-source-queues.ts';
import type { InvocationOutcome } from './invocation.ts';
import { createInvoker, type InvokerOptions } from './invoker.ts';

export interface LambdaOptions extends Omit<InvokerOptions, 'functions'> {
  readonly wiring: Pick<Wiring, 'functions' | 'eventSourceMappings' | 'permissions'>;
  readonly queues: EventSourceQueues;
  /** Where on-failure destinations lead. */
  readonly deliver: Deliver;
  /** A service refused Lambda itself: a poller, which tries again, or a record of a failure, which is lost. */
  readonly onProblem?: (error: unknown) => void;
}

/** An event of a service for a function. */
interface AcceptRequest {
  readonly functionArn: string;
  /** JSON. */
  readonly body: string;
  /** The caller. The rights of a role were checked before. */
  readonly sender: Sender;
}

/** The simulated Lambda service. */
export interface SimulatedLambda {
  /** Begins to poll the queues of the enabled mappings. */
  start(): void;
  /** Stops to poll; what is under way goes on. */
  stop(): void;
  /** Waits for the answer, as API Gateway or `aws lambda invoke` do. `name`: a function's name, short name or ARN. */
  invoke(name: string, event: unknown): Promise<InvocationOutcome>;
  /**
   * Takes an event on for a function, as for EventBridge and SNS: tried again when it fails.
   * Throws AwsError when there is no such function, or none that the service may invoke.
   */
  accept(request: AcceptRequest): void;
  functionOf(name: string): FunctionWiring;
  /** Invocations under way: while there are some, the simulation has work besides its clock. */
  underWay(): number;
  /** Ends every idle environment, so that the next invocations start cold. */
  recycle(): void;
}

export function createLambda(options: LambdaOptions): SimulatedLambda {
  const { wiring, queues, deliver, clock, random, onProblem } = options;
  const invoker = createInvoker({ ...options, functions: wiring.functions });
  const acceptEvent = createAsynchronousInvoker({ clock, invoker, deliver, onProblem });
  let pollers: readonly { stop(): void }[] = [];

  const functionOf = (name: string): FunctionWiring => {
    const found = wiring.functions.find(
      (one) => one.functionArn === name || one.functionName === name || one.name === name,
    );
    if (found) return found;
    throw new AwsError({
      code: 'ResourceNotFoundException',
      message: `Function not found: ${name}`,
      statusCode: 404,
    });
  };

  return {
    start: () => {
      pollers = wiring.eventSourceMappings
        .filter(({ enabled }) => enabled)
        .map((mapping) =>
          startPolling({
            mapping,
            wiring: functionOf(mapping.functionArn),
            queues,
            invoker,
            clock,
            onProblem,
          }),
        );
    },
    stop: () => {
      for (const poller of pollers) poller.stop();
      pollers = [];
    },
    invoke: async (name, event) => invoker.invoke(functionOf(name), event),
    accept: (request) => {
      const called = functionOf(request.functionArn);
      if (request.sender.roleArn === undefined) checkPermission(wiring.permissions, called, request.sender);
      acceptEvent(called, JSON.parse(request.body), random.uuid());
    },
    functionOf,
    underWay: () => invoker.underWay(),
    recycle: () => invoker.recycle(),
  };
}

function checkPermission(
  permissions: Wiring['permissions'],
  { functionName, functionArn }: FunctionWiring,
  { service, sourceArn }: Sender,
): void {
  const permitted = permissions.some(
    (permission) =>
      [functionName, functionArn].includes(permission.functionArn) &&
      permission.principal === service &&
      (!permission.sourceArn || wildcard(permission.sourceArn)(sourceArn)),
  );
  if (permitted) return;
  throw new AwsError({
    code: 'AccessDeniedException',
    message: `${service} is not permitted to invoke ${functionName}: the template has no AWS::Lambda::Permission for it`,
    statusCode: 403,
  });
}

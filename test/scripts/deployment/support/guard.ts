import type { createTestFront } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import { HttpResponse } from '@smithy/core/transport';
import DeploymentGuard from '../../../../scripts/deployment/guard.ts';
import { answerOf, type FakeStack } from './fake-stack.ts';

type ClientOptions = ReturnType<typeof createTestFront>['clientOptions'];

class OslsError extends Error {
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** A command of osls for the stage `prod`. */
export interface Command {
  readonly command: string;
  /** `--param` of this command. */
  readonly param?: readonly string[];
  /** `--param` of an earlier `package`. */
  readonly packagedWith?: readonly string[];
  readonly region?: string | null;
  /** The cluster that the stage names. */
  readonly clusterName?: string;
  readonly operatorRole?: string;
  readonly stack?: FakeStack | undefined;
  /** Other stacks of the region. */
  readonly others?: readonly FakeStack[];
  readonly clientOptions: ClientOptions;
}

/** Runs the guard's hook at `event` of an osls command, with CloudFormation and EC2 in front of the simulated AWS. */
export async function runHook(
  event: string,
  {
    command,
    param,
    packagedWith = param,
    region = 'eu-west-1',
    clusterName = 'prod',
    operatorRole = 'none',
    stack,
    others,
    clientOptions,
  }: Command,
): Promise<void> {
  const guard = new DeploymentGuard({
    classes: { Error: OslsError },
    processedInput: { commands: command.split(' ') },
    service: {
      provider: { stackTags: { 'drover.dev/cluster': clusterName } },
      custom: { region, operatorRole, commandLineParameters: packagedWith },
    },
    getProvider: () => ({
      naming: { getStackName: () => 'drover-prod' },
      getStage: () => 'prod',
      getAwsSdkV3Config: async () => withStack(clientOptions, stack, others),
    }),
  });
  const hook = guard.hooks[event];
  if (!hook) throw new Error(`the guard has no hook ${event}`);
  await hook();
}

const withStack = (
  clientOptions: ClientOptions,
  stack: FakeStack | undefined,
  others: readonly FakeStack[] | undefined,
): ClientOptions => ({
  ...clientOptions,
  requestHandler: {
    ...clientOptions.requestHandler,
    handle: async (request, options) => {
      const { body } = request;
      const answer = typeof body === 'string' ? answerOf(stack, body, others) : undefined;
      if (answer === undefined) return await clientOptions.requestHandler.handle(request, options);
      const headers = { 'content-type': 'text/xml' };
      return {
        response: new HttpResponse({ statusCode: answer.statusCode, headers, body: Buffer.from(answer.xml) }),
      };
    },
  },
});

/** The simulated Lambda: how functions run, and what their invocations come to. */

export { functionEnvironment } from './environment.ts';
export type { CreateHandler, FunctionHost, LambdaContext, LambdaHandler } from './function-host.ts';
export { createHttpApi, type HttpApi } from './http-api/http-api.ts';
export { createIamAuthorizer } from './http-api/iam-authorizer.ts';
export { createInProcessRuntime } from './in-process-runtime.ts';
export { errorPayload, type InvocationOutcome, type InvocationReport } from './invocation.ts';
export { createInvoker } from './invoker.ts';
export { createPackagedRuntime } from './packaged-runtime.ts';
export { exitError, maximumResponseBytes, responseTooLarge } from './platform-errors.ts';
export type { ReportedError } from './reported-error.ts';
export {
  type ExecutionEnvironment,
  FunctionError,
  type FunctionRuntime,
  type RuntimeInvocation,
} from './runtime.ts';
export { sqsEvent } from './sqs-event.ts';
export { createWorkerRuntime } from './worker/worker-runtime.ts';

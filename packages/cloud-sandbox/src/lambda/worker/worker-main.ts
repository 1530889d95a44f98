/** The inside of a thread that is a function's execution environment: loads the packaged bundle and answers invocations. */
import { env, stdout } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import type { LambdaHandler } from '../function-host.ts';
import { reportedError } from '../reported-error.ts';
import { toJson } from '../runtime.ts';
import { writeConsoleLines, writeError } from './console-lines.ts';
import { loadHandler } from './load-handler.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { replaceDate, simulatedNow } from './simulated-date.ts';

const start = workerData as WorkerStart;
const port = parentPort;
if (!port) throw new Error('worker-main.ts runs as a worker thread only');

const tell = (message: FromWorker): void => port.postMessage(message);

/** Lines go to the parent as messages, in order with the answers: a stream of its own would come late. */
function catchLines(): void {
  let open = '';
  stdout.write = (chunk: string | Uint8Array): boolean => {
    const [last = '', ...lines] = `${open}${Buffer.from(chunk).toString()}`.split('\n').reverse();
    open = last;
    for (const line of lines.reverse()) tell({ kind: 'line', line });
    return true;
  };
}

/** What Node's runtime hands to a handler (Lambda developer guide, "Lambda context object in Node.js"). */
const contextOf = ({ requestId, deadline }: ToWorker) => ({
  awsRequestId: requestId,
  invokedFunctionArn: start.functionArn,
  functionName: env.AWS_LAMBDA_FUNCTION_NAME ?? '',
  functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
  memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
  logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
  getRemainingTimeInMillis: () => deadline - simulatedNow(start.time),
});

async function answer(handler: LambdaHandler, invocation: ToWorker): Promise<void> {
  const { requestId, payload, traceHeader } = invocation;
  current = requestId;
  // Where the SDK looks for it, as on Lambda, to send it along.
  Object.assign(env, { _X_AMZN_TRACE_ID: traceHeader });
  try {
    const result = await handler(JSON.parse(payload) as unknown, contextOf(invocation));
    tell({ kind: 'answered', requestId, json: toJson(result) });
  } catch (error) {
    writeError('Invoke Error', error);
    tell({ kind: 'failed', requestId, error: reportedError(error) });
  }
}

let current = '-';
replaceDate(start.time);
catchLines();
writeConsoleLines({ now: () => simulatedNow(start.time), requestId: () => current });
try {
  const handler = loadHandler(start);
  port.on('message', (message: ToWorker) => void answer(handler, message));
  tell({ kind: 'started' });
} catch (error) {
  writeError('Init Error', error);
  tell({ kind: 'failed', error: reportedError(error) });
}

/** The inside of a thread that is a function's execution environment: loads the packaged bundle and answers invocations. */
import { env, stdout } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import type { LambdaHandler } from '../../../shared/runtime/lambda.ts';
import { loadBundle } from './load-bundle.ts';
import type { FromWorker, ToWorker, WorkerStart } from './messages.ts';
import { replaceDate, simulatedNow } from './simulated-date.ts';

const start = workerData as WorkerStart;
const port = parentPort;
if (!port) throw new Error('worker-main.ts runs as a worker thread only');

const tell = (message: FromWorker): void => port.postMessage(message);

const failure = (cause: unknown, requestId?: string): FromWorker => {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  return {
    kind: 'failed',
    errorType: error.name,
    message: error.message,
    ...(requestId !== undefined && { requestId }),
  };
};

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

function loadHandler(): LambdaHandler {
  const handler = loadBundle(start)[start.exportName];
  if (typeof handler !== 'function') throw new TypeError(`${start.exportName} is undefined or not exported`);
  return handler as LambdaHandler;
}

async function answer(
  handler: LambdaHandler,
  { requestId, payload, deadline, traceHeader }: ToWorker,
): Promise<void> {
  // Where the SDK looks for it, as on Lambda, to send it along.
  Object.assign(env, { _X_AMZN_TRACE_ID: traceHeader });
  try {
    const result = await handler(JSON.parse(payload) as unknown, {
      awsRequestId: requestId,
      functionName: start.functionName,
      getRemainingTimeInMillis: () => Math.max(0, deadline - simulatedNow(start.time)),
    });
    tell({ kind: 'answered', requestId, json: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    tell(failure(error, requestId));
  }
}

replaceDate(start.time);
catchLines();
try {
  const handler = loadHandler();
  port.on('message', (message: ToWorker) => void answer(handler, message));
  tell({ kind: 'started' });
} catch (error) {
  tell(failure(error));
}

import type { AwsRequestHandler } from '../../../../shared/aws/connection.ts';
import type { FunctionHost } from '../../../../shared/runtime/host.ts';
import type { AnsweredCall, Call } from './call.ts';
import { isThrottlingAnswer, readAwsCall, readKubernetesCall } from './read-call.ts';

export interface Watcher {
  /** The time of the world: the function's own clock may be off. */
  readonly now: () => number;
  readonly onCall: (call: Call) => void;
  readonly onAnswer: (answered: AnsweredCall) => void;
  readonly onLine: (caller: string, line: string) => void;
}

/** A host's own request handler. Throws if the host has none, because its calls could not be watched. */
export function awsHandlerOf({ awsRequestHandler }: FunctionHost): AwsRequestHandler {
  if (awsRequestHandler !== undefined) return awsRequestHandler;
  throw new TypeError('the host has no request handler of its own');
}

/** A host that reports every call to the watcher: the call before it is made, and its answer afterwards. */
export function watchedHost(host: FunctionHost, caller: string, watcher: Watcher): FunctionHost {
  const watched = async <Answer>(
    call: Call,
    send: () => Promise<Answer>,
    read: (answer: Answer) => Omit<AnsweredCall, 'call'>,
  ) => {
    watcher.onCall(call);
    try {
      const answer = await send();
      watcher.onAnswer({ call, ...read(answer) });
      return answer;
    } catch (error) {
      watcher.onAnswer({ call, answer: String(error), isThrottled: false });
      throw error;
    }
  };
  const moment = () => ({ at: watcher.now(), caller });
  const aws = awsHandlerOf(host);
  const awsRequestHandler: AwsRequestHandler = {
    ...aws,
    handle: (request, options) =>
      watched(
        readAwsCall(moment(), request),
        () => aws.handle(request, options),
        ({ response }) => ({ answer: response.statusCode, isThrottled: isThrottlingAnswer(response) }),
      ),
  };
  return {
    ...host,
    awsRequestHandler,
    // As on Lambda: `onSimulatedTime` makes the waits in between simulated.
    awsMaxAttempts: 3,
    sendHttp: (request) =>
      watched(
        readKubernetesCall(moment(), request),
        () => host.sendHttp(request),
        ({ status }) => ({ answer: status, isThrottled: false }),
      ),
    writeLine: (line) => {
      watcher.onLine(caller, line);
      host.writeLine(line);
    },
  };
}

import type { HttpRequest as SdkRequest, HttpResponse as SdkResponse } from '@smithy/core/transport';
import type { AwsRequestHandler } from '../../../../shared/aws/request-handler.ts';
import type { Host } from '../../../../shared/runtime/host.ts';
import type { AnsweredCall, Call } from './call.ts';
import { readAwsCall, readKubernetesCall } from './read-call.ts';

export interface Watcher {
  readonly onCall: (call: Call) => void;
  readonly onAnswer: (answered: AnsweredCall) => void;
  readonly onLine: (caller: string, line: string) => void;
}

/** Something that answers the SDK's requests. */
export interface SdkHandler {
  handle(request: SdkRequest, options?: object): Promise<{ response: SdkResponse }>;
}

/** The part of a request handler that answers; throws where a host has none, for then nothing could be watched. */
export function sdkHandlerOf(handler: AwsRequestHandler | undefined): AwsRequestHandler & SdkHandler {
  if (handler !== undefined && 'handle' in handler) return handler as AwsRequestHandler & SdkHandler;
  throw new TypeError('the host has no request handler of its own');
}

/** A host whose every call is told, with what was answered, before and after it is made. */
export function watchedHost(host: Host, caller: string, watcher: Watcher): Host {
  const told = async <Answer>(
    call: Call,
    send: () => Promise<Answer>,
    statusOf: (answer: Answer) => number,
  ) => {
    watcher.onCall(call);
    try {
      const answer = await send();
      watcher.onAnswer({ call, answer: statusOf(answer) });
      return answer;
    } catch (error) {
      watcher.onAnswer({ call, answer: String(error) });
      throw error;
    }
  };
  const moment = () => ({ at: host.clock.now(), caller });
  const aws = sdkHandlerOf(host.awsRequestHandler);
  const awsRequestHandler: AwsRequestHandler & SdkHandler = {
    ...aws,
    handle: (request: SdkRequest, options?: object) =>
      told(
        readAwsCall(moment(), request),
        () => aws.handle(request, options),
        ({ response }) => response.statusCode,
      ),
  };
  return {
    ...host,
    awsRequestHandler,
    sendHttp: (request) =>
      told(
        readKubernetesCall(moment(), request),
        () => host.sendHttp(request),
        ({ status }) => status,
      ),
    writeLine: (line) => {
      watcher.onLine(caller, line);
      host.writeLine(line);
    },
  };
}

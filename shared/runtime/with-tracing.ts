import { createLog } from '../base/log.ts';
import type { Trace } from '../base/trace.ts';
import type { SendHttp } from '../net/http.ts';
import type { DatagramTarget } from '../net/send-datagram.ts';
import { createTrace, readDaemonAddress } from '../tracing/create-trace.ts';
import { httpCall } from '../tracing/subsegment.ts';
import { readConfig } from './config.ts';
import type { FunctionHost, Host } from './host.ts';

/**
 * The same host, which records the calls of each sampled invocation in X-Ray. Without the parameter `tracing`, or without a daemon, it is
 * the host itself.
 *
 * @throws ConfigError with all that is wrong with the environment.
 */
export function withTracing(host: FunctionHost): FunctionHost {
  const { environment, sendHttp } = host;
  if (readConfig(environment, ['tracing']).tracing === 'off') return host;
  const daemon = readDaemonAddress(environment['AWS_XRAY_DAEMON_ADDRESS']);
  if (!daemon) return host;
  const { clusterName } = readConfig(environment, ['clusterName']);
  const trace = createTrace({
    clock: host.clock,
    randomBytes: host.randomBytes,
    header: () => environment['_X_AMZN_TRACE_ID'],
    send: sendTo(host, daemon),
  });
  return {
    ...host,
    trace,
    sendHttp: recordedHttp({ sendHttp, trace, clusterName }),
    // The clients of the SDK record their calls by name.
    sendHttpToAws: sendHttp,
  };
}

/** What is lost is said once for each execution environment: the daemon will be as absent at the next call. */
function sendTo(host: Host, daemon: DatagramTarget): (datagram: Uint8Array) => void {
  const log = createLog(host);
  let hasSaid = false;
  const sayOnce = (error: Error): void => {
    if (!hasSaid) log.warn('calls are missing in X-Ray: its daemon takes nothing', { reason: error.message });
    hasSaid = true;
  };
  return (datagram) => host.sendDatagram?.(datagram, daemon, sayOnce);
}

interface Recorded {
  readonly sendHttp: SendHttp;
  readonly trace: Trace;
  readonly clusterName: string;
}

const recordedHttp =
  ({ sendHttp, trace, clusterName }: Recorded): SendHttp =>
  async (request) => {
    const end = trace.begin(httpCall(request, clusterName));
    try {
      const response = await sendHttp(request);
      end({ status: response.status });
      return response;
    } catch (error) {
      end({ errorName: error instanceof Error ? error.name : 'Error' });
      throw error;
    }
  };

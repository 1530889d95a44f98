/** A call to another service, as a trace shows it. Nothing in it names an object or a user, and nothing is secret. */
export interface TracedCall {
  /** The service, in the map of services: `SSM`, `Kubernetes prod`. */
  readonly name: string;
  readonly namespace: 'aws' | 'remote';
  /** Of AWS: `GetParameter`. */
  readonly operation?: string;
  readonly region?: string;
  readonly method?: string;
  /** Without a query, and without the names of objects. */
  readonly url?: string;
}

export interface CallOutcome {
  /** Undefined if there was no answer. */
  readonly status?: number | undefined;
  readonly isThrottled?: boolean;
  /** The name of the error, if there was one. Its message may quote anything. */
  readonly errorName?: string;
}

export type EndCall = (outcome: CallOutcome) => void;

/** Records the calls of an invocation. No method throws or waits, because a trace must not disturb what it shows. */
export interface Trace {
  /** The id of the invocation's trace; undefined: it is not recorded. */
  readonly traceId: () => string | undefined;
  readonly begin: (call: TracedCall) => EndCall;
  /** Shows the calls that have no answer yet: the invocation may end before they do. */
  readonly showOpenCalls: () => void;
}

/** A line of a function's log: what Drover writes as JSON, with the function that wrote it. */
export interface LogLine extends Readonly<Record<string, unknown>> {
  readonly functionName: string;
}

/**
 * Reads a line of a log to which Lambda's runtime writes too. The runtime writes text, for example "Invoke Error" of an invocation
 * that failed: it becomes the member `text`.
 */
export const readLogLine = (functionName: string, line: string): LogLine =>
  line.startsWith('{')
    ? { functionName, ...(JSON.parse(line) as Readonly<Record<string, unknown>>) }
    : { functionName, text: line };

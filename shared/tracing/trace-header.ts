export interface TraceHeader {
  readonly traceId: string;
  /** The segment of the function, which Lambda records. */
  readonly parentId: string;
}

const root = /^1-[0-9a-f]{8}-[0-9a-f]{24}$/;
const parent = /^[0-9a-f]{16}$/;

/**
 * Reads the trace header of an invocation (X-Ray developer guide, "Tracing header"), which has further parts that are skipped. Undefined:
 * X-Ray does not sample the invocation, or the text is no header. Pure.
 */
export function readTraceHeader(text: string | undefined): TraceHeader | undefined {
  const parts = (text ?? '').split(';');
  const partOf = (name: string): string =>
    parts.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const traceId = partOf('Root');
  const parentId = partOf('Parent');
  return partOf('Sampled') === '1' && root.test(traceId) && parent.test(parentId)
    ? { traceId, parentId }
    : undefined;
}

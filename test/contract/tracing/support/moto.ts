import { randomBytes } from 'node:crypto';
import { clientOptions, moto, running } from '@drover/cloud-sandbox/real/emulators/emulators.ts';
import { traceId } from '../../../support/xray.ts';
import type { DocumentWorld, Shown } from '../document-cases.ts';
import { showThrough } from './show.ts';

interface Document {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string;
  readonly name: string;
  readonly in_progress?: boolean;
  readonly aws?: { readonly operation: string };
  readonly http?: {
    readonly request?: { readonly url: string };
    readonly response?: { readonly status: number };
  };
  readonly error?: boolean;
  readonly fault?: boolean;
  readonly cause?: { readonly exceptions: readonly { readonly type: string }[] };
}

const start = running(moto);

/** moto, which checks what it is sent, and gives it back. */
export async function openMoto(): Promise<DocumentWorld> {
  const { endpoint } = clientOptions(await start());
  const post = async (path: string, body: object): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      authorization: `AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/xray/aws4_request, SignedHeaders=host, Signature=${randomBytes(32).toString('hex')}`,
    };
    const response = await fetch(`${endpoint}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`moto answered ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  return {
    show: showThrough(async (datagram) => {
      const document = Buffer.from(datagram).toString().split('\n')[1] ?? '';
      const { id } = JSON.parse(document) as Document;
      const put = await post('/TraceSegments', { TraceSegmentDocuments: [document] });
      if (JSON.stringify(put) !== '{"UnprocessedTraceSegments":[]}') throw new Error(JSON.stringify(put));
      const { Traces } = (await post('/Traces', { TraceIds: [traceId] })) as {
        readonly Traces: readonly { readonly Segments: readonly { Id: string; Document: string }[] }[];
      };
      const kept = Traces[0]?.Segments.find(({ Id }) => Id === id);
      return shownOf(JSON.parse(kept?.Document ?? '{}') as Document);
    }),
  };
}

const shownOf = (document: Document): Shown => ({
  traceId: document.trace_id,
  id: document.id,
  parentId: document.parent_id,
  name: document.name,
  operation: document.aws?.operation,
  url: document.http?.request?.url,
  status: document.http?.response?.status,
  hasFailed: document.error === true || document.fault === true,
  isOpen: document.in_progress === true,
  errorName: document.cause?.exceptions[0]?.type,
});

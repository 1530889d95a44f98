import type { CertificateRequest } from './certificate-request.ts';
import { type RequestReading, readRequest } from './read-request.ts';

const mostKept = 20_000;

/** Reads each request once: the text of a request never changes, and the same ones are listed every minute. */
export function createReadings(): (request: Pick<CertificateRequest, 'uid' | 'pem'>) => RequestReading {
  const kept = new Map<string, RequestReading>();
  return ({ uid, pem }) => {
    const known = kept.get(uid);
    if (known) return known;
    if (kept.size >= mostKept) kept.clear();
    const reading = readRequest(pem);
    kept.set(uid, reading);
    return reading;
  };
}

import type { CertificateRequest } from './certificate-request.ts';
import { type RequestReading, readRequest } from './read-request.ts';

const mostKept = 20_000;
const mostBytes = 32 * 1024 * 1024;

/** Reads each request once: the text of a request never changes, and the same ones are listed every minute. */
export function createReadings(): (request: Pick<CertificateRequest, 'uid' | 'pem'>) => RequestReading {
  const kept = new Map<string, RequestReading>();
  let bytes = 0;
  return ({ uid, pem }) => {
    const known = kept.get(uid);
    if (known) return known;
    if (kept.size >= mostKept || bytes + pem.length > mostBytes) {
      kept.clear();
      bytes = 0;
    }
    bytes += pem.length;
    const reading = readRequest(pem);
    kept.set(uid, reading);
    return reading;
  };
}

import { X509Certificate } from 'node:crypto';
import type { Registry } from '../../registry/registry.ts';
import { type Csr, hasCondition, requestsResource } from './requests.ts';

const hourMilliseconds = 3_600_000;
const pendingMilliseconds = 24 * hourMilliseconds;

/**
 * Deletes requests that are done with: once an hour, those decided more than an hour ago, those pending for more than a
 * day, and those whose certificate has expired. Source: pkg/controller/certificates/cleaner.
 */
export function startCertificateCleaner(registry: Registry): void {
  const { clock, store } = registry;
  const requests = store.of(requestsResource);
  const startedAt = clock.now();
  let isPlanned = false;
  const plan = (): void => {
    if (isPlanned || requests.size === 0) return;
    isPlanned = true;
    const elapsed = (clock.now() - startedAt) % hourMilliseconds;
    clock.after(hourMilliseconds - elapsed, clean);
  };
  const clean = (): void => {
    isPlanned = false;
    for (const csr of requests.list()) if (isDone(csr, clock.now())) registry.delete(requestsResource, csr);
    plan();
  };
  requests.subscribe(plan);
}

function isDone(csr: Csr, now: number): boolean {
  const { status, metadata } = csr;
  const isIssued = (status?.certificate ?? '') !== '';
  const isOlder = (at: string | undefined, milliseconds: number): boolean =>
    now - Date.parse(at ?? '') > milliseconds;
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, pendingMilliseconds);
  const isExpired = isIssued && hasCondition(csr, 'Approved') && now > endOf(status?.certificate ?? '');
  return (
    isExpired ||
    conditions.some(
      ({ type, lastUpdateTime }) =>
        (type === 'Approved' ? isIssued : type === 'Denied' || type === 'Failed') &&
        isOlder(lastUpdateTime, hourMilliseconds),
    )
  );
}

const endOf = (certificate: string): number =>
  Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);

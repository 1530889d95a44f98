import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from 'kubernetes-types/certificates/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { forbiddenValue, invalidValue, required, unsupportedValue } from './causes.ts';

/** Source: pkg/apis/certificates/validation/validation.go. */
const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const shortestSeconds = 600;
const signerForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+\/\S+$/;

export function certificateCauses({ spec }: CertificateSigningRequest): readonly StatusCause[] {
  const asked: Partial<CertificateSigningRequest['spec']> = spec;
  const { request = '', usages: given = [], signerName = '', expirationSeconds } = asked;
  return [
    ...requestCauses(request),
    ...(given.length === 0 ? [required('spec.usages')] : []),
    ...given.flatMap((usage, place) =>
      usages.includes(usage) ? [] : [unsupportedValue(`spec.usages[${place}]`, usage, usages)],
    ),
    ...signerCauses(signerName),
    ...(expirationSeconds !== undefined && expirationSeconds < shortestSeconds
      ? [invalidValue('spec.expirationSeconds', expirationSeconds, tooShort)]
      : []),
  ];
}

const tooShort = `may not specify a duration less than ${shortestSeconds} seconds (10 minutes)`;

function requestCauses(request: string): readonly StatusCause[] {
  const text = Buffer.from(request, 'base64').toString('utf8');
  if (/-----BEGIN CERTIFICATE REQUEST-----/.test(text)) return [];
  return [invalidValue('spec.request', request, 'PEM block type must be CERTIFICATE REQUEST')];
}

function signerCauses(signerName: string): readonly StatusCause[] {
  if (signerName === '') return [required('spec.signerName')];
  const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
  return signerForm.test(signerName) ? [] : [invalidValue('spec.signerName', signerName, why)];
}

type Conditions = readonly Partial<CertificateSigningRequestCondition>[];

const verdicts = ['Approved', 'Denied', 'Failed'];

/** A verdict is true, there is one of it, and it is not taken back. */
export function approvalCauses(previous: Conditions, next: Conditions): readonly StatusCause[] {
  const types = next.map(({ type = '' }) => type);
  const removed = previous.map(({ type = '' }) => type).filter((type) => !types.includes(type));
  const isBoth = types.includes('Approved') && types.includes('Denied');
  return [
    ...next.flatMap(statusCauses),
    ...(isBoth && removed.length === 0
      ? [invalidValue('status.conditions', 'Denied', 'Approved and Denied conditions are mutually exclusive')]
      : []),
    ...removed
      .filter((type) => verdicts.includes(type))
      .map((type) =>
        forbiddenValue('status.conditions', `updates may not remove a condition of type "${type}"`),
      ),
  ];
}

function statusCauses({ type = '', status = '' }: Conditions[number], place: number): readonly StatusCause[] {
  const field = `status.conditions[${place}].status`;
  if (status === '') return [required(field)];
  return verdicts.includes(type) && status !== 'True' ? [unsupportedValue(field, status, ['True'])] : [];
}

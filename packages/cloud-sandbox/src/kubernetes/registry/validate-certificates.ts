import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
  CertificateSigningRequestStatus,
} from 'kubernetes-types/certificates/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { parseCertificateRequest } from '../../x509/certificate-request.ts';
import { readPem } from '../../x509/pem.ts';
import { duplicateValue, forbiddenValue, invalidValue, required, unsupportedValue } from './causes.ts';

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
    ...given.flatMap((usage, place) =>
      given.indexOf(usage) < place ? [duplicateValue(`spec.usages[${place}]`, usage)] : [],
    ),
    ...signerCauses(signerName),
    ...(expirationSeconds !== undefined && expirationSeconds < shortestSeconds
      ? [invalidValue('spec.expirationSeconds', expirationSeconds, tooShort)]
      : []),
  ];
}

const tooShort = `may not specify a duration less than ${shortestSeconds} seconds (10 minutes)`;

function requestCauses(request: string): readonly StatusCause[] {
  try {
    parseCertificateRequest(Buffer.from(request, 'base64').toString('utf8'));
    return [];
  } catch (error) {
    return [invalidValue('spec.request', request, error instanceof Error ? error.message : String(error))];
  }
}

function signerCauses(signerName: string): readonly StatusCause[] {
  if (signerName === '') return [required('spec.signerName')];
  const isLegacy = signerName === 'kubernetes.io/legacy-unknown';
  if (isLegacy) return [invalidValue('spec.signerName', signerName, legacy)];
  const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
  return signerForm.test(signerName) ? [] : [invalidValue('spec.signerName', signerName, why)];
}

const legacy = 'the legacy signerName is not allowed via this API version';

type Status = Pick<CertificateSigningRequestStatus, 'certificate'> & {
  readonly conditions?: readonly Partial<CertificateSigningRequestCondition>[];
};

const field = 'status.conditions';
const verdicts = ['Approved', 'Denied'];
const finals = [...verdicts, 'Failed'];

/** A verdict is true, there is one of it, and it is not taken back. */
export function approvalCauses(previous: Status, next: Status): readonly StatusCause[] {
  return [...conditionCauses(next), ...removalCauses(previous, next)];
}

/** A signer decides nothing, and a certificate is written once. */
export function signedCauses(previous: Status, next: Status): readonly StatusCause[] {
  const [before, after] = [typesOf(previous), typesOf(next)];
  const isChanged = previous.certificate !== undefined && previous.certificate !== next.certificate;
  return [
    ...conditionCauses(next),
    ...certificateTextCauses(previous, next),
    ...removalCauses(previous, next),
    ...verdicts
      .filter((type) => after.includes(type) && !before.includes(type))
      .map((type) => forbiddenValue(field, `updates may not add a condition of type "${type}"`)),
    ...(isChanged
      ? [forbiddenValue('status.certificate', 'updates may not modify existing certificate content')]
      : []),
  ];
}

const typesOf = ({ conditions = [] }: Status): readonly string[] => conditions.map(({ type = '' }) => type);

function removalCauses(previous: Status, next: Status): readonly StatusCause[] {
  const left = typesOf(next);
  return finals
    .filter((type) => typesOf(previous).includes(type) && !left.includes(type))
    .map((type) => forbiddenValue(field, `updates may not remove a condition of type "${type}"`));
}

const exclusive = 'Approved and Denied conditions are mutually exclusive';

function conditionCauses({ conditions = [] }: Status): readonly StatusCause[] {
  const types = conditions.map(({ type = '' }) => type);
  return conditions.flatMap(({ type = '', status = '' }, place) => {
    const earlier = types.slice(0, place);
    const other = { Approved: 'Denied', Denied: 'Approved' }[type];
    return [
      ...(type === '' ? [required(`${field}[${place}].type`)] : []),
      ...statusCauses(type, status, place),
      ...(other !== undefined && earlier.includes(other) ? [invalidValue(field, type, exclusive)] : []),
      ...(earlier.includes(type) ? [duplicateValue(`${field}[${place}].type`, type)] : []),
    ];
  });
}

function statusCauses(type: string, status: string, place: number): readonly StatusCause[] {
  const supported = finals.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  if (status === '') return [required(`${field}[${place}].status`)];
  return supported.includes(status) ? [] : [unsupportedValue(`${field}[${place}].status`, status, supported)];
}

function certificateTextCauses(previous: Status, { certificate }: Status): readonly StatusCause[] {
  if (certificate === undefined || certificate === previous.certificate) return [];
  if (readPem('CERTIFICATE', Buffer.from(certificate, 'base64').toString()) !== undefined) return [];
  const why = 'must contain at least one CERTIFICATE PEM block';
  return [invalidValue('status.certificate', '<certificate data>', why)];
}

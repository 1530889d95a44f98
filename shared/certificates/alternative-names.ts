import { AsnConvert } from '@peculiar/asn1-schema';
import { type Attribute, Extensions, type GeneralName, SubjectAlternativeName } from '@peculiar/asn1-x509';
import { canonicalAddress } from './addresses.ts';
import { isSameDer, UnreadableRequestError } from './strict-der.ts';

/** The subject alternative names of a request. */
export interface AlternativeNames {
  /** In lower case. */
  readonly dnsNames: readonly string[];
  /** In canonical form. */
  readonly ipAddresses: readonly string[];
  /** Of any other kind: e-mail, URI and rarer ones. */
  readonly others: readonly string[];
}

const none: AlternativeNames = { dnsNames: [], ipAddresses: [], others: [] };

const extensionRequestId = '1.2.840.113549.1.9.14';
const alternativeNamesId = '2.5.29.17';

/** @throws UnreadableRequestError where the request asks for anything else than alternative names. */
export function alternativeNamesOf(attributes: readonly Attribute[]): AlternativeNames {
  const [attribute] = attributes;
  if (attribute === undefined) return none;
  const [value] = attribute.values;
  if (attributes.length > 1 || attribute.type !== extensionRequestId || attribute.values.length > 1 || !value)
    throw new UnreadableRequestError('it has attributes besides one request for extensions');
  const extensions = parsed(value, Extensions);
  const [extension] = extensions;
  if (extension === undefined) return none;
  if (extensions.length > 1 || extension.extnID !== alternativeNamesId)
    throw new UnreadableRequestError('it asks for extensions besides alternative names');
  return sorted(parsed(extension.extnValue.buffer, SubjectAlternativeName));
}

function parsed<T extends object>(value: ArrayBuffer, type: new () => T): T {
  const read = AsnConvert.parse(value, type);
  if (!isSameDer(read, new Uint8Array(value)))
    throw new UnreadableRequestError('its extensions are not canonical DER');
  return read;
}

function sorted(names: readonly GeneralName[]): AlternativeNames {
  return names.reduce((all, { dNSName, iPAddress, rfc822Name, uniformResourceIdentifier }) => {
    if (dNSName !== undefined) return { ...all, dnsNames: [...all.dnsNames, dNSName.toLowerCase()] };
    if (iPAddress !== undefined) {
      const address = canonicalAddress(iPAddress);
      if (address === undefined) throw new UnreadableRequestError('it has an address of an odd length');
      return { ...all, ipAddresses: [...all.ipAddresses, address] };
    }
    return {
      ...all,
      others: [...all.others, rfc822Name ?? uniformResourceIdentifier ?? 'a name of a rare kind'],
    };
  }, none);
}

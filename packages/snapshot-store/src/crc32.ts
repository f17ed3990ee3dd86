const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_item, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 1 ? (remainder >>> 1) ^ POLYNOMIAL : remainder >>> 1;
  return remainder;
});

/** CRC-32 (IEEE 802.3) of some bytes, as an unsigned integer. */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    remainder = (TABLE[(remainder ^ byte) & 0xff] as number) ^ (remainder >>> 8);
  }
  return (remainder ^ 0xffffffff) >>> 0;
}

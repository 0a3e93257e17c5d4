/**
 * What a serial port hears of bytes that were sent at another speed: the levels of the line as the
 * sender makes them (8N1, idle high), and a receiver that looks for a start bit and then samples
 * the middle of each of its own bits.
 */

const DATA_BITS = 8;
const BITS = DATA_BITS + 2;
/** Hears again and again where there is a start bit; a wrong stop bit does not lose the byte. */
export function heardAtAnotherSpeed(
  sent: Uint8Array,
  senderBaud: number,
  receiverBaud: number,
): Uint8Array {
  const levels = [...sent].flatMap((byte) => [
    0,
    ...Array.from({ length: DATA_BITS }, (_, bit) => (byte >> bit) & 1),
    1,
  ]);
  // In bits of the sender.
  const bit = senderBaud / receiverBaud;
  const level = (at: number) => levels[Math.floor(at)] ?? 1;
  const heard: number[] = [];
  for (let at = 0; at < levels.length; ) {
    const isStart = level(at) === 0 && level(at + bit / 2) === 0;
    if (!isStart) {
      at = Math.floor(at) + 1;
      continue;
    }
    let byte = 0;
    for (let index = 0; index < DATA_BITS; index += 1) {
      byte |= level(at + (index + 1.5) * bit) << index;
    }
    heard.push(byte);
    at += (BITS - 0.5) * bit;
  }
  return Uint8Array.from(heard);
}

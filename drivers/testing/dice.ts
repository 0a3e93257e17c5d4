/** Numbers that look drawn and are the same again for the same seed. */

/** Draws an integer from 0 to `bound` - 1. */
export type Dice = (bound: number) => number;

/**
 * Dice that always fall alike: a 32-bit Weyl sequence, mixed.
 * @param seed any integer
 */
export function seededDice(seed: number): Dice {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % bound;
  };
}

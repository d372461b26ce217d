/* Count the tricks of hands in simulated deals, for the table of docs/hand-worth.md. scripts/hand_worth.py compiles it.

   hand_worth GAME SAMPLES SEED DECLARES JOINS DECLARES JOINS MORE < classes > counts
   DECLARES, JOINS: the strengths from which the others declare and join in Chratze, then in Kratzen.
   MORE: 0 plays each place of each number of players once per sample; 1 plays only the places that need more: those of
   two players three times, those of three players and the leaders of more players once.
   classes: four uint16 for each class: the ranks of the trumps and of three plain suits.
   counts: for each class and each cell four uint32: hands with one trick or more and with two or more, before the
   exchange and after it. The cells are the places 0..n-1 of n = 2, 3, ... players.

   A card is a bit: the trumps are bits 0 to 8, the plain suits begin at bits 16, 32 and 48. The highest card of a suit
   is its highest bit. In Kratzen the Weli is bit 7 of the trumps, and a plain suit has bits 0 to 7. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;

enum { MOST = 7, TRICKS = 4, TABLE = 5, DRAW = 17, TRIES = 60 };
static const u64 TRUMP = 0x1ff, RANKS = 0x1ff;

static int kratzen, most_players, plain_ranks, declares_from[2], joins_from[2];
static u64 plain_aces, trump_ten, no_turn; /* no_turn: trumps that are never turned */
static int worth[64];
static u64 state;

static inline uint32_t below(uint32_t n) {
  state += 0xa0761d6478bd642fULL;
  __uint128_t product = (__uint128_t)state * (state ^ 0xe7037ed1a0b428dbULL);
  return (uint32_t)(((u64)(uint32_t)(product >> 64 ^ product) * n) >> 32);
}

static inline u64 top(u64 cards) { return 1ULL << (63 - __builtin_clzll(cards)); }
static inline u64 low(u64 cards) { return cards & -cards; }
static inline int count(u64 cards) { return __builtin_popcountll(cards); }

/* The plain card of the lowest or of the highest rank. */
static inline u64 lowest_plain(u64 hand) {
  u64 a = hand >> 16 & RANKS, b = hand >> 32 & RANKS, c = hand >> 48, rank = low(a | b | c);
  return a & rank ? rank << 16 : b & rank ? rank << 32 : rank << 48;
}
static inline u64 highest_plain(u64 hand) {
  u64 a = hand >> 16 & RANKS, b = hand >> 32 & RANKS, c = hand >> 48, rank = top(a | b | c);
  return a & rank ? rank << 16 : b & rank ? rank << 32 : rank << 48;
}

/* The order of cards: trumps from the ten up, plain aces, lower trumps, other plain cards. */
static inline u64 best_card(u64 hand) {
  u64 trumps = hand & TRUMP;
  if (trumps >= trump_ten) return top(trumps);
  if (hand & plain_aces) return low(hand & plain_aces);
  return trumps ? top(trumps) : highest_plain(hand);
}
static inline u64 worst_card(u64 hand) {
  u64 plain = hand & ~TRUMP & ~plain_aces, lower = hand & (trump_ten - 1);
  if (plain) return lowest_plain(plain);
  if (lower) return low(lower);
  return hand & plain_aces ? low(hand & plain_aces) : low(hand);
}

/* The tricks of one place, two at most: play stops there. */
static int tricks_of(const u64 *dealt, int n, int me) {
  u64 hands[MOST];
  memcpy(hands, dealt, n * sizeof(u64));
  int leader = 0, taken = 0;
  for (int trick = 0; trick < TRICKS; trick++) {
    u64 best = best_card(hands[leader]), led = best & TRUMP ? TRUMP : 0;
    hands[leader] ^= best;
    if (!led) led = RANKS << (__builtin_ctzll(best) & 48);
    int trumped = led == TRUMP, winner = leader;
    for (int place = 1; place < n; place++) {
      int seat = leader + place < n ? leader + place : leader + place - n;
      u64 hand = hands[seat], legal = hand & led, card;
      int may_take = legal && (led == TRUMP || !trumped);
      if (!legal && (legal = hand & TRUMP)) {
        may_take = 1;
        if (!trumped) best = 0;
        trumped = 1;
      }
      if (may_take && top(legal) > best) {
        card = place == n - 1 ? low(legal & ~(best | (best - (best != 0)))) : top(legal);
        best = card;
        winner = seat;
      } else card = legal ? low(legal) : lowest_plain(hand);
      hands[seat] = hand ^ card;
    }
    leader = winner;
    if (winner == me && ++taken == 2) break;
  }
  return taken;
}

/* The pack without the hand that is looked at. The dealt cards come first, the stock begins at `next`. */
typedef struct { u64 cards[36]; int size, next; } Pack;

static inline u64 draw(Pack *pack) {
  int place = pack->next + below(pack->size - pack->next);
  u64 card = pack->cards[place];
  pack->cards[place] = pack->cards[pack->next];
  pack->cards[pack->next++] = card;
  return card;
}

static u64 exchanged(u64 hand, const u64 *stock, int *at, int size) {
  int left = size - *at, held = count(hand);
  u64 keep = hand & (TRUMP | plain_aces), junk = hand & ~keep;
  int away = count(junk), all = away == held && left >= 4;
  if (all) {
    int drawn = left >= 5 ? 5 : 4;
    u64 five = 0, more = 0;
    for (int k = 0; k < drawn; k++) five |= stock[(*at)++];
    if (kratzen && drawn == 5) { /* K6.3: trumps laid open bring more cards */
      u64 ace = 1 << 8, shown = five & TRUMP;
      while (*at < size && count(more) < count(shown & ~ace) + count(more & TRUMP)) more |= stock[(*at)++];
      for (int k = 0; shown & ace && k < 5 && *at < size; k++) more |= stock[(*at)++];
    }
    hand = five | more;
  } else {
    if (away > 3) away = 3;
    if (away > left) away = left;
    for (int k = 0; k < away; k++) {
      u64 card = lowest_plain(junk);
      junk ^= card;
      hand ^= card;
    }
    for (int k = 0; k < away; k++) hand |= stock[(*at)++];
  }
  while (count(hand) > 4) hand ^= worst_card(hand);
  return hand;
}

typedef struct { u64 others[MOST], turned; int dealer, size; u64 stock[36]; } Deal;

static inline int strength(u64 cards) {
  int values[6], found = 0, sum = 0;
  for (; cards; cards &= cards - 1) values[found++] = worth[__builtin_ctzll(cards)];
  for (int k = 0; k < found; k++) sum += values[k];
  for (; found > 4; found--) {
    int least = 0;
    for (int k = 1; k < found; k++) if (values[k] < values[least]) least = k;
    sum -= values[least];
    values[least] = values[found - 1];
  }
  return sum;
}

/* The strongest declares unless `leads`, the others of the strongest join, in any order. */
static void take_strongest(Deal *to, u64 *hands, int others, int n, int leads) {
  for (int seat = 0; seat < n - 1; seat++) {
    int best = seat;
    for (int k = seat + 1; k < others; k++) if (strength(hands[k]) > strength(hands[best])) best = k;
    u64 hand = hands[best];
    hands[best] = hands[seat];
    hands[seat] = hand;
    if (to->dealer == best || to->dealer == seat) to->dealer = to->dealer == best ? seat : best;
  }
  for (int seat = leads ? 0 : 1; seat < n - 1; seat++) {
    int other = seat + below(n - 1 - seat);
    u64 hand = hands[other];
    hands[other] = hands[seat];
    hands[seat] = hand;
    if (to->dealer == other || to->dealer == seat) to->dealer = to->dealer == other ? seat : other;
  }
}

/* Deal to the others until as many join as wanted; the first of them declares unless `leads`. If that does not come
   about, those with the best cards of one more deal are in. */
static void deal(Deal *to, Pack *pack, int n, int leads) {
  int others = (n > TABLE ? n : TABLE) - 1;
  u64 hands[MOST];
  for (int try = 0; try <= TRIES; try++) {
    u64 turned, weli = 0;
    do { pack->next = 0; turned = draw(pack); } while (!(turned & TRUMP & ~no_turn));
    if (kratzen && below(pack->size) == 0)
      for (int k = 1; k < pack->size; k++)
        if (pack->cards[k] == 1 << 7) {
          weli = pack->cards[k];
          pack->cards[k] = pack->cards[1];
          pack->cards[1] = weli;
          pack->next = 2;
        }
    to->turned = turned;
    to->dealer = kratzen ? (int)below(others) : -1;
    int seat = 0;
    for (; seat < others; seat++) {
      u64 hand = 0;
      int sum = 0;
      for (int k = 0; k < 4; k++) {
        u64 card = draw(pack);
        hand |= card;
        sum += worth[__builtin_ctzll(card)];
      }
      if (seat == to->dealer) sum = strength(hand |= turned | weli);
      hands[seat] = hand;
      int from = seat == 0 && !leads ? declares_from[kratzen] : joins_from[kratzen];
      if (try < TRIES && (seat < n - 1 ? sum < from : sum >= from)) break;
    }
    if (seat < others) continue;
    if (try == TRIES) take_strongest(to, hands, others, n, leads);
    break;
  }
  memcpy(to->others, hands, (n - 1) * sizeof(u64));
  to->size = pack->size - pack->next;
  for (int k = 0; k < to->size; k++) to->stock[k] = draw(pack);
}

static void count_place(const Deal *from, u64 mine, int n, int me, uint32_t *counts) {
  /* Whose exchange comes first: the declarer's; in Kratzen the dealer's or that of the first player after him. */
  int first = !kratzen ? 0 : from->dealer < n - 1 ? from->dealer + (from->dealer >= me) : (int)below(n);
  for (int after = 0; after < 2; after++) {
    u64 hands[MOST];
    int at = 0;
    for (int k = 0; k < n; k++) {
      int place = first + k < n ? first + k : first + k - n;
      u64 hand = place == me ? mine : from->others[place - (place > me)];
      hands[place] = place == me && after ? mine : exchanged(hand, from->stock, &at, from->size);
    }
    if (!kratzen) /* C4.5: the six of trumps takes the turned card */
      for (int k = 0; k < n; k++)
        if (hands[k] & 1 && !(after && k == me)) hands[k] ^= 1 | from->turned;
    int taken = tricks_of(hands, n, me);
    counts[2 * after] += taken >= 1;
    counts[2 * after + 1] += taken >= 2;
  }
}

static void set_up(const char *game) {
  static const int TRUMPS[] = {30, 34, 38, 43, 50, 58, 70, 88, 100}, PLAIN[] = {0, 0, 0, 1, 2, 4, 8, 20, 50};
  static const int IN_KRATZEN[] = {34, 38, 43, 50, 58, 70, 88, 94, 100};
  kratzen = strcmp(game, "kratzen") == 0;
  most_players = kratzen ? 6 : 7;
  plain_ranks = kratzen ? 8 : 9;
  trump_ten = kratzen ? 1 << 3 : 1 << 4;
  no_turn = kratzen ? 1 | 1 << 7 : 0; /* a seven makes a Siebenermuss; after the Weli another card is turned */
  plain_aces = (1ULL << 16 | 1ULL << 32 | 1ULL << 48) << (plain_ranks - 1);
  for (int rank = 0; rank < 9; rank++) {
    worth[rank] = kratzen ? IN_KRATZEN[rank] : TRUMPS[rank];
    for (int suit = 16; suit < 64 && rank < plain_ranks; suit += 16) {
      int plain = PLAIN[rank + 9 - plain_ranks];
      worth[suit + rank] = plain > DRAW ? plain : DRAW;
    }
  }
}

int main(int argc, char **argv) {
  if (argc != 9) return 2;
  set_up(argv[1]);
  int samples = atoi(argv[2]), more = atoi(argv[8]);
  state = strtoull(argv[3], 0, 10) * 0x9e3779b97f4a7c15ULL;
  for (int k = 0; k < 2; k++) declares_from[k] = atoi(argv[4 + 2 * k]), joins_from[k] = atoi(argv[5 + 2 * k]);
  static const int ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  uint16_t ranks[4];
  while (fread(ranks, sizeof ranks, 1, stdin) == 1) {
    static uint32_t counts[27][4];
    memset(counts, 0, sizeof counts);
    u64 mine[6];
    static Pack packs[6];
    for (int order = 0; order < 6; order++) {
      mine[order] = ranks[0];
      for (int k = 0; k < 3; k++) mine[order] |= (u64)ranks[1 + ORDERS[order][k]] << 16 * (k + 1);
      packs[order].size = 0;
      for (int bit = 0; bit < 64; bit++)
        if (bit % 16 < (bit < 16 ? 9 : plain_ranks) && !(mine[order] >> bit & 1))
          packs[order].cards[packs[order].size++] = 1ULL << bit;
    }
    for (int sample = 0; sample < samples; sample++) {
      uint32_t(*cell)[4] = counts;
      for (int n = 2; n <= most_players; cell += n++) {
        Deal dealt;
        /* The more: a leader's deals tell of no other place, and few players of few places. */
        for (int k = 0; k < (more ? n == 2 ? 3 : 1 : 1); k++) {
          int order = below(6);
          deal(&dealt, &packs[order], n, 1);
          count_place(&dealt, mine[order], n, 0, cell[0]);
          if (more && n > 3) continue;
          deal(&dealt, &packs[order], n, 0);
          for (int me = 1; me < n; me++) count_place(&dealt, mine[order], n, me, cell[me]);
        }
      }
    }
    int cells = most_players == 7 ? 27 : 20;
    fwrite(counts, sizeof counts[0], cells, stdout);
  }
  return 0;
}
